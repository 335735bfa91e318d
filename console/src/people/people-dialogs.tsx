import { useRef, useState } from 'preact/hooks';
import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { succeed } from '../client/problem.ts';
import { Copyable } from '../parts/copyable.tsx';
import { EmailField } from '../parts/email-field.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { Time } from '../parts/time.tsx';
import { type Role, ROLE_HINTS, ROLE_NAMES } from './roles.ts';

type User = components['schemas']['User'];
type IssuedLink = components['schemas']['IssuedSignInLink'];

/** A sign-in link and the person it is for. */
export interface LinkFor {
  email: string;
  link: IssuedLink;
}

interface WithLinkProps {
  workspaceId: string;
  done: (made: LinkFor) => void;
  close: () => void;
}

/** A form that invites a person. */
export function Invite({ workspaceId, done, close }: WithLinkProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const made = useRef<LinkFor>(undefined);
  return (
    <FormDialog
      title="Invite somebody"
      verb="Invite"
      perform={async () => {
        const { body } = await succeed(api.inviteUser({ params: { workspaceId }, body: { email, role } }));
        made.current = { email: body.user.email, link: body.signInLink };
      }}
      done={() => made.current !== undefined && done(made.current)}
      close={close}
    >
      <EmailField label="E-mail" value={email} autocomplete="off" change={setEmail} />
      <RoleChoice value={role} choose={setRole} />
    </FormDialog>
  );
}

/** Creates a new link for an existing member of the workspace. */
export function NewLink({ workspaceId, user, done, close }: WithLinkProps & { user: User }) {
  const made = useRef<LinkFor>(undefined);
  return (
    <FormDialog
      title={`New sign-in link for ${user.email}?`}
      verb="Make link"
      perform={async () => {
        const params = { workspaceId, userId: user.userId };
        made.current = { email: user.email, link: (await succeed(api.createSignInLink({ params }))).body };
      }}
      done={() => made.current !== undefined && done(made.current)}
      close={close}
    >
      <p>
        Anyone with the link can sign in as {user.email}, once, and choose a new password. Earlier links stop working.
      </p>
    </FormDialog>
  );
}

/** Shows a sign-in link, only once. */
export function ShownLink({ made: { email, link }, close }: { made: LinkFor; close: () => void }) {
  return (
    <ShownOnce title={`Sign-in link for ${email}`} close={close}>
      <p>
        The link is shown only once. It works once, until <Time of={link.expiresDate} />. Send it to {email} yourself:
        the server sends no mail.
      </p>
      <Copyable name="sign-in link" text={link.signInUrl} />
    </ShownOnce>
  );
}

interface OfUserProps {
  workspaceId: string;
  user: User;
  done: () => void;
  close: () => void;
}

export function ChangeRole({ workspaceId, user, done, close }: OfUserProps) {
  const [role, setRole] = useState(user.role);
  return (
    <FormDialog
      title={`Role of ${user.email}`}
      verb="Change role"
      perform={() => succeed(api.changeUserRole({ params: { workspaceId, userId: user.userId }, body: { role } }))}
      done={done}
      close={close}
    >
      <RoleChoice value={role} choose={setRole} />
    </FormDialog>
  );
}

export function Remove({ workspaceId, user, done, close }: OfUserProps) {
  return (
    <FormDialog
      title={`Remove ${user.email}?`}
      verb="Remove"
      tone="danger"
      perform={() => succeed(api.removeUser({ params: { workspaceId, userId: user.userId } }))}
      done={done}
      close={close}
    >
      <p>They are signed out of this workspace immediately. Their actions stay in the logs.</p>
    </FormDialog>
  );
}

function RoleChoice({ value, choose }: { value: Role; choose: (role: Role) => void }) {
  const roles: readonly Role[] = ['viewer', 'editor', 'admin'];
  return (
    <fieldset>
      <legend>Role</legend>
      {roles.map((role) => (
        <label key={role} class="choice">
          <input type="radio" name="role" checked={role === value} onChange={() => choose(role)} />
          <span>
            {ROLE_NAMES[role]} <span class="hint">{ROLE_HINTS[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
