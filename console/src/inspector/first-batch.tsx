import { allows } from '../client/sessions.ts';
import { paths } from '../navigation/paths.ts';
import { KeyLines } from './key-lines.tsx';

/** Where nothing has been sent yet: how to send, while the page waits for it. */
export function FirstBatch({ workspaceId }: { workspaceId: string }) {
  return (
    <section class="empty" aria-labelledby="first-batch">
      <h2 id="first-batch">No event yet</h2>
      <p role="status">Waiting for the first batch… It shows here by itself.</p>
      <p>
        Put these lines into the app, with an API key for <code>&lt;API_KEY&gt;</code>.{' '}
        {allows('admin') ? (
          <>
            <a href={paths.sources(workspaceId)}>Create one under Sources</a>.
          </>
        ) : (
          'Ask an admin of the workspace for one.'
        )}
      </p>
      <KeyLines apiKey="<API_KEY>" />
    </section>
  );
}
