import { randomUUID } from 'node:crypto';
import type { FirstStart } from './accounts/first-start.ts';
import { signInUrl } from './accounts/sign-in-url.ts';
import type { Config } from './config.ts';
import { quoteForShell } from './quote-for-shell.ts';

/**
 * Formats what a first start prints: a sign-in link, and `curl` commands to paste that create a branch, export
 * it and send a batch.
 *
 * @param origin the address of the server, such as `http://127.0.0.1:3000`
 * @param signInOrigin the origin of the web application, such as `http://localhost:3000`
 * @param now the time used in the batch; milliseconds since 1970, UTC
 */
export function firstStartBanner(
  origin: string,
  signInOrigin: string,
  { workspaceId, accountName, accountSecret, apiKey, signInToken }: FirstStart,
  now: number,
): string {
  const workspaceUrl = `${origin}/workspaces/${workspaceId}`;
  const account = `-u '${accountName}:${accountSecret}'`;
  const json = "-H 'content-type: application/json'";
  return `
This is the first start, so there is now a workspace "${workspaceId}" with a service account and an API key.
Their secrets are shown only once.

Sign in as its admin with this link. It works once, for 30 minutes:

${signInUrl(signInOrigin, workspaceId, signInToken)}

Paste these commands to try the account and the key.

Create a branch, then export the statistics of all branches:

curl -i ${account} ${json} -d '{"name":"my-first-branch"}' ${workspaceUrl}/branches/v1
curl -i ${account} ${workspaceUrl}/branches/export/v1

Send a batch with the schema of one event, then see what has been observed:

curl -i -H 'api-key: ${apiKey}' ${json} -d '${sampleBatch(now)}' ${origin}/inspector/batches/v1
curl -i ${account} ${workspaceUrl}/inspector/events/v1

More people, accounts and keys (in Branchline's own folder): npx branchline user invite --help,
npx branchline account create --help, npx branchline key create --help
`;
}

/**
 * Formats what a start on an empty database prints without a demo workspace: commands to paste.
 *
 * @param signInOrigin as for {@link firstStartBanner}
 */
export function firstSteps(
  { database, databaseUrl }: Pick<Config, 'database' | 'databaseUrl'>,
  signInOrigin: string,
): string {
  // The URL may contain a password.
  const place = databaseUrl === undefined ? ` --database ${quoteForShell(database)}` : '';
  const secrets =
    databaseUrl === undefined ? 'BRANCHLINE_HASH_KEY, if it is set' : 'DATABASE_URL and BRANCHLINE_HASH_KEY';
  return `
There is no workspace yet. Create one, with an admin, a service account and an API key (in Branchline's own folder, with the server's
${secrets}):

npx branchline workspace create shop${place}
npx branchline user invite --workspace shop --email you@example.com --role admin --origin ${signInOrigin}${place}
npx branchline account create --workspace shop --name ci --email you@example.com${place}
npx branchline key create --workspace shop --source android-shop${place}

`;
}

function sampleBatch(now: number): string {
  const time = new Date(now).toISOString();
  return JSON.stringify({
    batchId: randomUUID(),
    sentAt: time,
    library: { name: 'curl', version: '1', platform: 'shell' },
    app: { id: 'com.example.shop', name: 'Shop', version: '0.0.0-try' },
    environment: 'dev',
    samplingRate: 1,
    events: [
      {
        messageId: randomUUID(),
        eventName: 'Product Viewed',
        observedAt: time,
        schema: [
          { name: 'productId', type: 'string' },
          { name: 'price', type: 'float' },
        ],
      },
    ],
  });
}
