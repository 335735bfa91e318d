import { useState } from 'preact/hooks';
import { session, sessionEnded } from '../client/sessions.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { PasswordForm } from './password-form.tsx';

/** Over a page whose session has ended: signing in again leaves the page, and what was typed into it, as it is. */
export function SessionEnded() {
  const [signingIn, setSigningIn] = useState(false);
  if (!sessionEnded.value || session.value === undefined) return null;
  const { workspaceId, email } = session.value;
  return (
    <div class="notice notice-bad" role="alert">
      <Icon name="warning" />
      <div>
        <p>Your session has ended. Sign in again to go on; what you typed is kept.</p>
        <button type="button" onClick={() => setSigningIn(true)}>
          Sign in again
        </button>
      </div>
      {signingIn && (
        <Dialog title="Sign in again" close={() => setSigningIn(false)}>
          <PasswordForm workspaceId={workspaceId} email={email} fixed done={() => setSigningIn(false)} />
        </Dialog>
      )}
    </div>
  );
}
