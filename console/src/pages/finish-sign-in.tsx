import { useEffect, useState } from 'preact/hooks';
import { useActing } from '../client/acting.ts';
import { paths, safeReturn } from '../navigation/paths.ts';
import { go } from '../navigation/place.ts';
import { Loading } from '../parts/loading.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { rememberedReturn } from '../signing-in/remembered-return.ts';
import { finishOidcSignIn } from '../signing-in/sign-in.ts';

/** The page that the OIDC provider returns to: finishes the sign-in and opens the requested page. */
export function FinishSignInPage() {
  const [query] = useState(takeQuery);
  // The state begins with the workspace.
  const workspaceId = new URLSearchParams(query).get('state')?.split('.')[0] || undefined;
  const back = safeReturn(rememberedReturn(), location.origin);
  const { act, problem } = useActing(() => finishOidcSignIn(workspaceId ?? '', query));
  useEffect(() => {
    if (workspaceId === undefined) go(paths.signIn(undefined, back), { replace: true });
    else void act().then((done) => done && go(back ?? paths.branches(workspaceId), { replace: true }));
  }, []);
  return (
    <main class="narrow">
      <p class="brand">Branchline</p>
      <Page title="Sign in">
        {problem === undefined ? (
          <Loading />
        ) : (
          <>
            <ProblemNotice problem={problem} />
            <p>
              <a href={paths.signIn(workspaceId, back)}>Sign in again</a>
            </p>
          </>
        )}
      </Page>
    </main>
  );
}

/** Reads the provider's answer and removes it from the URL. */
function takeQuery(): string {
  const query = location.search.slice(1);
  history.replaceState(history.state, '', location.pathname);
  return query;
}
