import { useState } from 'preact/hooks';
import { paths, safeReturn } from '../navigation/paths.ts';
import { go, place } from '../navigation/place.ts';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { HowToGetALink } from '../signing-in/how-to-get-a-link.tsx';
import { LinkForm } from '../signing-in/link-form.tsx';
import { forgetLink, takeLink } from '../signing-in/kept-link.ts';
import { PasswordForm } from '../signing-in/password-form.tsx';
import { ProviderButton } from '../signing-in/provider-button.tsx';
import { rememberedWorkspace } from '../signing-in/remembered-workspace.ts';

/** Sign-in with a link, the OIDC provider or a password. */
export function SignInPage() {
  const [taken] = useState(takeLink);
  const link = taken === 'broken' ? undefined : taken;
  const { query } = place.value;
  const back = safeReturn(query.get('return'), location.origin);
  const workspaceId = link?.workspaceId ?? query.get('workspace') ?? rememberedWorkspace();
  const done = (signedInTo: string): void => {
    forgetLink();
    go(back ?? paths.branches(signedInTo), { replace: true });
  };
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
        {taken === 'broken' && <BrokenLink />}
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

function BrokenLink() {
  return (
    <div class="notice notice-bad" role="alert">
      <Icon name="warning" />
      <p>This sign-in link is incomplete. Copy all of it, up to its last character, or ask for another one.</p>
    </div>
  );
}
