import { useEffect } from 'preact/hooks';
import { api } from '../client/api.ts';
import { succeed } from '../client/problem.ts';
import { useReading } from '../client/reading.ts';
import { paths } from '../navigation/paths.ts';
import { go } from '../navigation/place.ts';
import { Loading } from '../parts/loading.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { ROLE_NAMES } from '../people/roles.ts';

/** The workspaces that this browser is signed in to; if there is only one, it opens directly. */
export function WorkspacesPage() {
  const { content: sessions, problem } = useReading('', async (signal) => {
    return (await succeed(api.listSessions({}, { signal }))).body.sessions;
  });
  useEffect(() => {
    const [only, ...others] = sessions ?? [];
    if (problem?.status === 401) go(paths.signIn(undefined), { replace: true });
    else if (only !== undefined && others.length === 0) go(paths.branches(only.workspaceId), { replace: true });
  }, [sessions, problem]);
  if (sessions === undefined || sessions.length === 1) {
    return problem === undefined || problem.status === 401 ? <Loading /> : <ProblemNotice problem={problem} retries />;
  }
  return (
    <Page title="Workspaces">
      <ul class="cards">
        {sessions.map(({ workspaceId, email, role }) => (
          <li key={workspaceId}>
            <a href={paths.branches(workspaceId)}>{workspaceId}</a>
            <span class="quiet">
              {email} · {ROLE_NAMES[role]}
            </span>
          </li>
        ))}
      </ul>
      <p>
        <a href={paths.signIn(undefined)}>Sign in to another workspace</a>
      </p>
    </Page>
  );
}
