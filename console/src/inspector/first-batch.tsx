import { useState } from 'preact/hooks';
import { allows } from '../client/sessions.ts';
import { CreateKey, type CreatedKey } from './create-key.tsx';
import { KeyLines } from './key-lines.tsx';

interface FirstBatchProps {
  workspaceId: string;
  /** The text of a key that has just been created; otherwise unknown. */
  apiKey: string | undefined;
  done: (created: CreatedKey) => void;
}

/** Shows how to send the first batch, while the page waits for it. */
export function FirstBatch({ workspaceId, apiKey, done }: FirstBatchProps) {
  const [creating, setCreating] = useState(false);
  return (
    <section class="empty" aria-labelledby="first-batch">
      <h2 id="first-batch">No event yet</h2>
      <p role="status">Waiting for the first batch… It will appear here automatically.</p>
      {apiKey === undefined ? (
        <NoKey create={() => setCreating(true)} />
      ) : (
        <p>Add this code to the app. It contains the key you have just created, until you leave this page.</p>
      )}
      <KeyLines apiKey={apiKey ?? '<API_KEY>'} />
      {creating && (
        <CreateKey
          workspaceId={workspaceId}
          done={(created) => {
            setCreating(false);
            done(created);
          }}
          close={() => setCreating(false)}
        />
      )}
    </section>
  );
}

function NoKey({ create }: { create: () => void }) {
  return (
    <>
      <p>
        Add this code to the app, with an API key for <code>&lt;API_KEY&gt;</code>. A key is shown only when it is
        created. {!allows('admin') && 'Ask an admin of the workspace for one.'}
      </p>
      {allows('admin') && (
        <p>
          <button type="button" class="primary" onClick={create}>
            Create API key
          </button>
        </p>
      )}
    </>
  );
}
