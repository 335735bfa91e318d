import { useEffect, useState } from 'preact/hooks';
import { useActing } from '../client/acting.ts';
import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { succeed } from '../client/problem.ts';
import { useReading } from '../client/reading.ts';
import { EmailField } from '../parts/email-field.tsx';
import { Field } from '../parts/field.tsx';
import { Loading } from '../parts/loading.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { Time } from '../parts/time.tsx';
import { forgetLink } from './kept-link.ts';
import type { LinkToken } from './link-token.ts';
import { signIn } from './sign-in.ts';

interface LinkFormProps {
  link: LinkToken;
  done: (workspaceId: string) => void;
}

/** Signs in with a link, after checking whose it is and what it requires. */
export function LinkForm({ link, done }: LinkFormProps) {
  const { workspaceId, token } = link;
  const { content, problem } = useReading(token, async (signal) => {
    return (await succeed(api.checkSignInLink({ params: { workspaceId }, body: { token } }, { signal }))).body;
  });
  const isRefused = problem !== undefined && !problem.mayPass;
  useEffect(() => {
    if (isRefused) forgetLink();
  }, [isRefused]);
  if (problem !== undefined) return <ProblemNotice problem={problem} retries />;
  return content === undefined ? <Loading /> : <LinkQuestion link={link} checked={content} done={done} />;
}

interface AskingProps extends LinkFormProps {
  checked: components['schemas']['SignInLink'];
}

function LinkQuestion({ link: { workspaceId, token }, checked, done }: AskingProps) {
  const asksForEmail = checked.asksFor.includes('email');
  const asksForPassword = checked.asksFor.includes('password');
  const [email, setEmail] = useState(checked.email ?? '');
  const [password, setPassword] = useState('');
  const { act, busy, problem, clear } = useActing(() =>
    signIn(workspaceId, { token, ...(asksForEmail && { email }), ...(password !== '' && { password }) }),
  );
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        if (await act()) done(workspaceId);
      }}
    >
      <p>
        This link signs in to the workspace <strong>{workspaceId}</strong>, once, until{' '}
        <Time of={checked.expiresDate} />.
      </p>
      <EmailField
        label="E-mail"
        name="email"
        value={email}
        readOnly={!asksForEmail}
        autocomplete="username"
        change={(text) => {
          setEmail(text);
          clear();
        }}
      />
      <Field
        label={asksForPassword ? 'Choose a password' : 'New password'}
        hint={`12 or more characters of any kind.${asksForPassword ? '' : ' Leave empty to keep your password.'}`}
        name="password"
        type="password"
        value={password}
        required={asksForPassword}
        minLength={12}
        maxLength={256}
        autocomplete="new-password"
        onInput={({ currentTarget }) => {
          setPassword(currentTarget.value);
          clear();
        }}
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
