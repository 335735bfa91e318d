import { useState } from 'preact/hooks';
import { paths, safeReturn } from '../navigation/paths.ts';
import { go, place } from '../navigation/place.ts';
import { Copyable } from '../parts/copyable.tsx';
import { Page } from '../parts/page.tsx';
import { LinkForm } from '../signing-in/link-form.tsx';
import { type LinkToken, linkTokenIn } from '../signing-in/link-token.ts';
import { PasswordForm } from '../signing-in/password-form.tsx';
import { ProviderButton } from '../signing-in/provider-button.tsx';
import { rememberedWorkspace } from '../signing-in/remembered-workspace.ts';

/** Signing in: with a link, at the OIDC provider, or with a password. */
export function SignInPage() {
  const [link] = useState(takeLink);
  const { query } = place.value;
  const back = safeReturn(query.get('return'), location.origin);
  const workspaceId = link?.workspaceId ?? query.get('workspace') ?? rememberedWorkspace();
  const done = (signedInTo: string): void => go(back ?? paths.branches(signedInTo), { replace: true });
  const withoutLink = (
    <PasswordForm
      workspaceId={workspaceId}
      done={done}
      otherWay={(workspace) => <ProviderButton workspaceId={workspace} back={back} />}
    />
  );
  return (
    <main class="narrow">
      <p class="brand">Branchline</p>
      <Page title="Sign in">
        {link === undefined ? (
          withoutLink
        ) : (
          <>
            <LinkForm link={link} done={done} />
            <details>
              <summary>Sign in with a password instead</summary>
              {withoutLink}
            </details>
          </>
        )}
        <HowToGetALink workspaceId={workspaceId} />
      </Page>
    </main>
  );
}

/** The link's token, which stays in the address no longer than it takes to read it. */
function takeLink(): LinkToken | undefined {
  const link = linkTokenIn(location.hash);
  if (link !== undefined) history.replaceState(history.state, '', location.pathname + location.search);
  return link;
}

function HowToGetALink({ workspaceId }: { workspaceId: string }) {
  const workspace = /^[a-z0-9-]+$/.test(workspaceId) ? workspaceId : '<workspace>';
  return (
    <details>
      <summary>No password yet, or forgotten?</summary>
      <p>
        An admin of the workspace makes a sign-in link for you, under Settings, People. Whoever runs the server makes
        one in Branchline’s own folder:
      </p>
      <Copyable name="command" text={`npx branchline user invite --workspace ${workspace} --email you@example.com`} />
    </details>
  );
}
