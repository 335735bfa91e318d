import { useState } from 'preact/hooks';
import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { usePage } from '../client/page-reading.ts';
import { succeed } from '../client/problem.ts';
import { allows, type Session } from '../client/sessions.ts';
import { Budget } from '../inspector/budget.tsx';
import { CreateKey, NewKey } from '../inspector/create-key.tsx';
import { KeyLines } from '../inspector/key-lines.tsx';
import { LibrariesInUse } from '../inspector/libraries-in-use.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { List } from '../parts/list.tsx';
import { numberText, shareText } from '../parts/numbers.ts';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Time, TimeOrNever } from '../parts/time.tsx';

type ApiKey = components['schemas']['ApiKey'];

/** The apps that send events, by the API keys that they ship with. */
export function SourcesPage({ session: { workspaceId } }: { session: Session }) {
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<components['schemas']['CreatedApiKey']>();
  const [deleting, setDeleting] = useState<ApiKey>();
  const keys = usePage(workspaceId, async (query, signal) => {
    return (await succeed(api.listApiKeys({ params: { workspaceId }, query }, { signal }))).body;
  });
  return (
    <Page
      title="Sources"
      actions={
        allows('admin') && (
          <button type="button" class="primary" onClick={() => setCreating(true)}>
            <Icon name="add" /> Create API key
          </button>
        )
      }
    >
      <p class="lead">
        An app sends the schemas of its events with an API key. The key ships in the app; all that it can do is send.
      </p>
      <List
        caption="API keys"
        reading={keys}
        rowsOf={({ apiKeys }) => apiKeys}
        columns={columns(setDeleting)}
        keyOf={({ keyId }) => keyId}
        empty={<NoKeys />}
      />
      <Budget workspaceId={workspaceId} apiKeys={keys.content?.apiKeys ?? []} />
      {creating && (
        <CreateKey
          workspaceId={workspaceId}
          done={(key) => {
            setCreating(false);
            setCreated(key);
            keys.reload();
          }}
          close={() => setCreating(false)}
        />
      )}
      {created !== undefined && <NewKey created={created} close={() => setCreated(undefined)} />}
      {deleting !== undefined && (
        <FormDialog
          title={`Delete the key of ${deleting.source}?`}
          verb="Delete key"
          tone="danger"
          perform={() => succeed(api.deleteApiKey({ params: { workspaceId, keyId: deleting.keyId } }))}
          done={() => {
            setDeleting(undefined);
            keys.reload();
          }}
          close={() => setDeleting(undefined)}
        >
          <p>
            Batches sent with <code>{deleting.keyId}</code> will be refused. Observations stay.
          </p>
        </FormDialog>
      )}
    </Page>
  );
}

function columns(askToDelete: (key: ApiKey) => void): Column<ApiKey>[] {
  const shown: Column<ApiKey>[] = [
    { name: 'Source', isHeader: true, cell: ({ source }) => source },
    { name: 'Key', cell: ({ keyId }) => <code class="id">{keyId}</code> },
    { name: 'Last used', cell: ({ lastUsedDate }) => <TimeOrNever of={lastUsedDate} /> },
    { name: 'Batches today (UTC)', isNumber: true, cell: ({ batchesToday }) => numberText(batchesToday) },
    { name: 'Library versions', cell: ({ libraries }) => <LibrariesInUse libraries={libraries} /> },
    { name: 'Sampling', isNumber: true, cell: ({ samplingRate }) => shareText(samplingRate) },
    { name: 'Created', cell: ({ createdDate }) => <Time of={createdDate} /> },
  ];
  if (!allows('admin')) return shown;
  const actions: Column<ApiKey> = {
    name: '',
    cell: (key) => (
      <button type="button" onClick={() => askToDelete(key)}>
        Delete…<span class="unseen"> the key of {key.source}</span>
      </button>
    ),
  };
  return [...shown, actions];
}

function NoKeys() {
  return (
    <section class="empty" aria-labelledby="no-keys">
      <h2 id="no-keys">No API key yet</h2>
      <p>
        {allows('admin') ? 'Create one' : 'Ask an admin of the workspace for one'}, then put these lines into the app.
      </p>
      <KeyLines apiKey="<API_KEY>" />
    </section>
  );
}
