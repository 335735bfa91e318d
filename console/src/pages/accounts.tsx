import { useState } from 'preact/hooks';
import { CreateAccount, NewAccount } from '../accounts/create-account.tsx';
import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { usePage } from '../client/page-reading.ts';
import { succeed } from '../client/problem.ts';
import type { Session } from '../client/sessions.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { List } from '../parts/list.tsx';
import { numberText } from '../parts/numbers.ts';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Time, TimeOrNever } from '../parts/time.tsx';

type ServiceAccount = components['schemas']['ServiceAccount'];

/** The programs that may use the workspace. */
export function AccountsPage({ session }: { session: Session }) {
  const { workspaceId } = session;
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<components['schemas']['CreatedServiceAccount']>();
  const [deleting, setDeleting] = useState<ServiceAccount>();
  const accounts = usePage(workspaceId, async (query, signal) => {
    return (await succeed(api.listServiceAccounts({ params: { workspaceId }, query }, { signal }))).body;
  });
  return (
    <Page
      title="Service accounts"
      actions={
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          <Icon name="add" /> Create account
        </button>
      }
    >
      <p class="lead">
        A program signs in with the name and the secret of a service account, whose scopes say what it may do.
      </p>
      <List
        caption="Service accounts"
        reading={accounts}
        rowsOf={({ serviceAccounts }) => serviceAccounts}
        columns={columns(setDeleting)}
        keyOf={({ accountId }) => accountId}
        empty={
          <p class="empty">
            No service account yet. Create one for a CI job or another program that works with branches.
          </p>
        }
      />
      {creating && (
        <CreateAccount
          session={session}
          done={(account) => {
            setCreating(false);
            setCreated(account);
            accounts.reload();
          }}
          close={() => setCreating(false)}
        />
      )}
      {created !== undefined && (
        <NewAccount workspaceId={workspaceId} created={created} close={() => setCreated(undefined)} />
      )}
      {deleting !== undefined && (
        <FormDialog
          title={`Delete ${deleting.name}?`}
          verb="Delete account"
          tone="danger"
          perform={() => succeed(api.deleteServiceAccount({ params: { workspaceId, accountId: deleting.accountId } }))}
          done={() => {
            setDeleting(undefined);
            accounts.reload();
          }}
          close={() => setDeleting(undefined)}
        >
          <p>Programs that use it will be refused. The branches that it created stay.</p>
        </FormDialog>
      )}
    </Page>
  );
}

function columns(askToDelete: (account: ServiceAccount) => void): Column<ServiceAccount>[] {
  return [
    { name: 'Name', isHeader: true, cell: ({ name }) => name },
    { name: 'E-mail', cell: ({ email }) => email },
    {
      name: 'Scopes',
      cell: ({ scopes }) => (
        <ul class="scopes">
          {scopes.map((scope) => (
            <li key={scope}>
              <code>{scope}</code>
            </li>
          ))}
        </ul>
      ),
    },
    { name: 'Rate', cell: rateText },
    { name: 'Last used', cell: ({ lastUsedDate }) => <TimeOrNever of={lastUsedDate} /> },
    { name: 'Created', cell: ({ createdDate }) => <Time of={createdDate} /> },
    {
      name: '',
      cell: (account) => (
        <button type="button" onClick={() => askToDelete(account)}>
          Delete…<span class="unseen"> {account.name}</span>
        </button>
      ),
    },
  ];
}

function rateText({ requestsPerSecond, enforcement }: ServiceAccount): string {
  const rate = requestsPerSecond === null ? 'server default' : `${numberText(requestsPerSecond)} per second`;
  return enforcement === null ? rate : `${rate}, ${enforcement}`;
}
