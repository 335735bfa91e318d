import { useActing } from '../client/acting.ts';
import { api } from '../client/api.ts';
import { succeed } from '../client/problem.ts';
import { useReading } from '../client/reading.ts';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { rememberReturn } from './remembered-return.ts';

interface ProviderButtonProps {
  workspaceId: string;
  /** The path to open afterwards. */
  back: string | undefined;
}

/** Signs in with the server's OIDC provider, if it has one. Belongs into a form with a field `workspace`. */
export function ProviderButton({ workspaceId, back }: ProviderButtonProps) {
  const { content: ways } = useReading('', async (signal) => (await succeed(api.getSignInWays({}, { signal }))).body);
  const { act, busy, problem } = useActing(async () => {
    rememberReturn(back);
    const { body } = await succeed(api.beginOidcSignIn({ params: { workspaceId } }));
    location.assign(body.authorizationUrl);
  });
  if (ways === undefined || ways.oidcProvider === null) return null;
  return (
    <>
      <button
        type="button"
        class="primary"
        aria-disabled={busy}
        onClick={({ currentTarget: { form } }) => {
          const workspace = form?.elements.namedItem('workspace');
          if (workspace instanceof HTMLInputElement && workspace.reportValidity()) void act();
        }}
      >
        Sign in with {ways.oidcProvider}
      </button>
      <ProblemNotice problem={problem} />
      <p class="quiet">or with a password:</p>
    </>
  );
}
