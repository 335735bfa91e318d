import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { succeed } from '../client/problem.ts';
import { useReading } from '../client/reading.ts';
import { place } from '../navigation/place.ts';
import { Loading } from '../parts/loading.tsx';
import { Pager } from '../parts/pager.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { Time } from '../parts/time.tsx';
import { Status } from './status.tsx';

interface ActivityProps {
  workspaceId: string;
  branchId: string;
  /** How often this page has changed the branch; each change reloads the log. */
  changes: number;
}

/** Who did what to the branch, and when. */
export function Activity({ workspaceId, branchId, changes }: ActivityProps) {
  const params = { workspaceId, branchId };
  const cursor = place.value.query.get('cursor');
  const { content, problem, busy } = useReading(JSON.stringify([params, cursor, changes]), async (signal) => {
    const query = cursor === null ? {} : { cursor };
    return (await succeed(api.listBranchActivity({ params, query }, { signal }))).body;
  });
  return (
    <section aria-labelledby="activity">
      <h2 id="activity">Activity</h2>
      <ProblemNotice problem={problem} retries />
      {content === undefined && problem === undefined && <Loading />}
      {content !== undefined && (
        <ol class="activity" aria-busy={busy}>
          {content.activity.map((entry) => (
            <li key={entry.sequence} value={entry.sequence}>
              <p>
                <Sentence entry={entry} />
              </p>
              <p class="quiet">
                <Time of={entry.date} /> · {entry.actorEmail}
              </p>
            </li>
          ))}
        </ol>
      )}
      <Pager nextCursor={content?.nextCursor} next="Later activity" />
    </section>
  );
}

function Sentence({ entry }: { entry: components['schemas']['BranchActivity'] }) {
  const { happened, branchName, branchStatus, collaboratorEmail } = entry;
  if (happened === 'created') return <>Created as {branchName}</>;
  if (happened === 'collaboratorAdded') return <>Collaborator added: {collaboratorEmail}</>;
  if (happened === 'published') return <>Published</>;
  return <>Became {branchStatus !== undefined && <Status status={branchStatus} />}</>;
}
