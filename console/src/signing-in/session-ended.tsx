import { useEffect, useState } from 'preact/hooks';
import { session, sessionEnded } from '../client/sessions.ts';
import { paths } from '../navigation/paths.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { PasswordForm } from './password-form.tsx';

/**
 * Shown over a page whose session has ended, and over its dialogs. Signing in again, here or in another tab, keeps the page
 * and everything typed into it.
 */
export function SessionEnded() {
  const [later, setLater] = useState(false);
  const ended = sessionEnded.value;
  useEffect(() => {
    if (!ended) setLater(false);
  }, [ended]);
  if (!ended || session.value === undefined) return null;
  const { workspaceId, email } = session.value;
  if (later) {
    return (
      <div class="notice notice-bad" role="alert">
        <Icon name="warning" />
        <div>
          <p>Your session has ended. What you typed is kept.</p>
          <button type="button" onClick={() => setLater(false)}>
            Sign in again
          </button>
        </div>
      </div>
    );
  }
  return (
    <Dialog title="Your session has ended" close={() => setLater(true)}>
      <p>
        Sign in again to go on; what you typed is kept. Without a password: sign in with your link or your company
        account in{' '}
        <a href={paths.signIn(workspaceId)} target="_blank" rel="noopener">
          another tab
        </a>
        , then come back.
      </p>
      <PasswordForm workspaceId={workspaceId} email={email} fixed />
      <div class="actions">
        <button type="button" class="plain" onClick={() => setLater(true)}>
          Later
        </button>
      </div>
    </Dialog>
  );
}
