import { useId, useRef, useState } from 'preact/hooks';
import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { succeed } from '../client/problem.ts';
import type { Session } from '../client/sessions.ts';
import { Copyable } from '../parts/copyable.tsx';
import { EmailField } from '../parts/email-field.tsx';
import { Field } from '../parts/field.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { curlLine } from './curl-line.ts';
import { type Scope, SCOPE_HINTS, SCOPES } from './scopes.ts';

type CreatedAccount = components['schemas']['CreatedServiceAccount'];
type Enforcement = 'soft' | 'hard' | null;

interface CreateAccountProps {
  session: Session;
  done: (created: CreatedAccount) => void;
  close: () => void;
}

/** A form for a new service account: purpose, scopes and rate. */
export function CreateAccount({ session: { workspaceId, email: ownEmail }, done, close }: CreateAccountProps) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState(ownEmail);
  const [scopes, setScopes] = useState<readonly Scope[]>(['branches:create', 'branches:export']);
  const [rate, setRate] = useState('');
  const [enforcement, setEnforcement] = useState<Enforcement>(null);
  const created = useRef<CreatedAccount>(undefined);
  return (
    <FormDialog
      title="Create a service account"
      verb="Create account"
      perform={async () => {
        const requestsPerSecond = rate === '' ? null : Number(rate);
        const body = { name, email, scopes: [...scopes], requestsPerSecond, enforcement };
        created.current = (await succeed(api.createServiceAccount({ params: { workspaceId }, body }))).body;
      }}
      done={() => created.current !== undefined && done(created.current)}
      close={close}
    >
      <Field
        label="Name"
        hint="A short label for its purpose, such as ci."
        value={name}
        required
        maxLength={64}
        autocomplete="off"
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <EmailField
        label="E-mail"
        hint="The person responsible; the account acts on their behalf."
        value={email}
        autocomplete="off"
        change={setEmail}
      />
      <ScopeChoice chosen={scopes} choose={setScopes} />
      <details>
        <summary>Rate limit</summary>
        <Field
          label="Requests per second and operation"
          hint="Empty means the server default."
          type="number"
          min={0.00001}
          max={1_000_000}
          step="any"
          value={rate}
          onInput={({ currentTarget }) => setRate(currentTarget.value)}
        />
        <EnforcementChoice value={enforcement} choose={setEnforcement} />
      </details>
    </FormDialog>
  );
}

interface ScopeChoiceProps {
  chosen: readonly Scope[];
  choose: (scopes: readonly Scope[]) => void;
}

function ScopeChoice({ chosen, choose }: ScopeChoiceProps) {
  return (
    <fieldset>
      <legend>It may</legend>
      {SCOPES.map((scope) => (
        <label key={scope} class="choice">
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            ref={(box) => box?.setCustomValidity(chosen.length === 0 ? 'Select at least one.' : '')}
            onChange={({ currentTarget }) =>
              choose(SCOPES.filter((one) => (one === scope ? currentTarget.checked : chosen.includes(one))))
            }
          />
          <span>
            {SCOPE_HINTS[scope]} <code class="quiet">{scope}</code>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function EnforcementChoice({ value, choose }: { value: Enforcement; choose: (value: Enforcement) => void }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Above the limit</label>
      <select
        id={id}
        value={value ?? ''}
        onChange={({ currentTarget: { value: chosen } }) =>
          choose(chosen === 'soft' || chosen === 'hard' ? chosen : null)
        }
      >
        <option value="">server default</option>
        <option value="soft">serve with a warning</option>
        <option value="hard">refused with 429</option>
      </select>
    </div>
  );
}

interface NewAccountProps {
  workspaceId: string;
  created: CreatedAccount;
  close: () => void;
}

/** Shows the secret of a new account, only once. */
export function NewAccount({ workspaceId, created, close }: NewAccountProps) {
  return (
    <ShownOnce title={`Service account ${created.serviceAccount.name}`} close={close}>
      <p>The secret is shown only once.</p>
      <h3>Name</h3>
      <Copyable name="name" text={created.serviceAccount.name} />
      <h3>Secret</h3>
      <Copyable name="secret" text={created.secret} />
      <h3>Try it</h3>
      <Copyable name="curl line" text={curlLine(location.origin, workspaceId, created)} />
    </ShownOnce>
  );
}
