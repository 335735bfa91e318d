import { useState } from 'preact/hooks';
import { allows } from '../client/sessions.ts';
import { CreateKey, type CreatedKey } from './create-key.tsx';
import { KeyLines } from './key-lines.tsx';

interface FirstBatchProps {
  workspaceId: string;
  /** A key that has just been made: only then it is known. */
  apiKey: string | undefined;
  done: (created: CreatedKey) => void;
}

/** Where nothing has been sent yet: how to send, while the page waits for it. */
export function FirstBatch({ workspaceId, apiKey, done }: FirstBatchProps) {
  const [creating, setCreating] = useState(false);
  return (
    <section class="empty" aria-labelledby="first-batch">
      <h2 id="first-batch">No event yet</h2>
      <p role="status">Waiting for the first batch… It shows here by itself.</p>
      {apiKey === undefined ? (
        <NoKey create={() => setCreating(true)} />
      ) : (
        <p>Put these lines into the app. They hold the key that you have made, until you leave this page.</p>
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
        Put these lines into the app, with an API key for <code>&lt;API_KEY&gt;</code>. A key is shown only when it is
        made. {!allows('admin') && 'Ask an admin of the workspace for one.'}
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
