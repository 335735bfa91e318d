import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useActing } from '../client/acting.ts';
import { EmailField } from '../parts/email-field.tsx';
import { Field } from '../parts/field.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { signIn } from './sign-in.ts';

interface PasswordFormProps {
  /** The initial values of the fields. */
  workspaceId: string;
  email?: string;
  /** Whether the workspace is fixed. */
  fixed?: boolean;
  done?: (workspaceId: string) => void;
  /** Other ways to sign in to the workspace in the field. */
  otherWay?: (workspaceId: string) => ComponentChildren;
}

/** Signs in with an e-mail and a password. */
export function PasswordForm({ workspaceId, email = '', fixed = false, done, otherWay }: PasswordFormProps) {
  const [workspace, setWorkspace] = useState(workspaceId);
  const [address, setAddress] = useState(email);
  const [password, setPassword] = useState('');
  const { act, busy, problem, clear } = useActing(() => signIn(workspace, { email: address, password }));
  const changing = (set: (text: string) => void) => (text: string) => {
    set(text);
    clear();
  };
  const typing = (set: (text: string) => void) => (event: { currentTarget: HTMLInputElement }) =>
    changing(set)(event.currentTarget.value);
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        if (await act()) done?.(workspace);
      }}
    >
      <Field
        label="Workspace"
        name="workspace"
        value={workspace}
        required
        autofocus={workspaceId === ''}
        readOnly={fixed}
        autocomplete="organization"
        autocapitalize="none"
        spellcheck={false}
        onInput={typing(setWorkspace)}
      />
      {otherWay?.(workspace)}
      <EmailField
        label="E-mail"
        name="email"
        value={address}
        autofocus={workspaceId !== '' && email === ''}
        autocomplete="username"
        change={changing(setAddress)}
      />
      <Field
        label="Password"
        name="password"
        type="password"
        value={password}
        required
        autofocus={email !== ''}
        maxLength={256}
        autocomplete="current-password"
        onInput={typing(setPassword)}
      />
      <ProblemNotice problem={problem} />
      <div class="actions">
        <button class="primary" aria-disabled={busy}>
          Sign in
        </button>
      </div>
    </form>
  );
}
