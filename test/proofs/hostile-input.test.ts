import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../server/accounts/principals.ts';
import { batchOf, eventReport } from '../support/batch.ts';
import type { ServerProcess } from '../support/command-line.ts';
import { exchange } from '../support/exchange.ts';
import { startProvider, type TestProvider } from '../support/oidc-provider.ts';
import { type ContractOperation, contractOperations } from './support/contract-operations.ts';
import {
  bytesOf,
  type HostileRequest,
  hostileRequests,
  plainRequests,
  type Targets,
} from './support/hostile-requests.ts';
import { type Installation, install } from './support/installation.ts';
import { exchangeRaw, type RawReply } from './support/raw-exchange.ts';
import { scale } from './support/scale.ts';

const REQUESTS = scale({ usual: 250, full: 5_000 });

/** A request that is no HTTP, or has headers beyond all bounds, is refused at once; who still sends then may lose the answer. */
const MOST_UNREAD = 16_384;

/** Of a person; one more ends the oldest. */
const MOST_SESSIONS = 100;

const OPERATIONS = contractOperations();

/** What is said to whoever asks. */
const FOR_ANYBODY = new Set(['beginOidcSignIn', 'getSignInWays']);

let provider: TestProvider;
let installation: Installation;
let server: ServerProcess;
/** The admin's, as the `cookie` header brings it. */
let session: string;
let branchId: string;
let issueId: string;
let cursors: string[];
beforeAll(async () => {
  installation = await install();
  provider = await startProvider();
  const { issuer, clientId, clientSecret } = provider.settings;
  server = await installation.start(['--oidc-issuer', issuer, '--oidc-client-id', clientId], {
    BRANCHLINE_OIDC_CLIENT_SECRET: clientSecret,
  });
  session = await newSession(await newUser('admin'));
  ({ branchId, issueId, cursors } = await prepare());
}, 120_000);
afterAll(async () => {
  await installation.remove();
  await provider.close();
});

describe(`no input makes a fault of the server: ${REQUESTS} requests`, () => {
  it.each(OPERATIONS)('to $id', { timeout: 900_000 }, async (operation) => {
    const logged = server.log().length;
    const targets = await newTargets(operation);
    const answers = new Set<string>();
    const property = fc.asyncProperty(hostileRequests(operation, targets), async (request) => {
      const reply = await sendHostile(request);
      answers.add(`${request.authorised ? 'somebody' : 'nobody'}: ${reply?.status}`);
      check(operation, request, reply);
    });
    const examples = plainRequests(operation, targets).map((request): [HostileRequest] => [request]);
    await fc.assert(property, { numRuns: REQUESTS, examples });

    expect(faultsIn(server.log().slice(logged))).toEqual([]);
    expect(await call('GET', '/readyz')).toEqual({ status: 'ready' });
    expect([...answers], 'also what is wrong only in part was sent').toEqual(
      expect.arrayContaining(
        operation.isSecured
          ? ['nobody: 401', 'somebody: 400', expect.stringMatching(/^somebody: (20\d|409)/)]
          : ['nobody: 400', expect.stringMatching(FOR_ANYBODY.has(operation.id) ? /: 20\d/ : /^nobody: (401|410|429)/)],
      ),
    );
  });
});

/** An answer that comes while megabytes are on their way can be lost to a reset; not twice. */
async function sendHostile(request: HostileRequest): Promise<RawReply | undefined> {
  const reply = await exchangeRaw(server.origin, request);
  return reply === undefined && bytesOf(request).length > MOST_UNREAD ? exchangeRaw(server.origin, request) : reply;
}

function check({ id }: ContractOperation, request: HostileRequest, reply: RawReply | undefined): void {
  if (reply === undefined) {
    expect(mayLoseAnswer(request), 'there is an answer').toBe(true);
    return;
  }
  expect(reply.status, reply.body).toBeLessThan(500);
  // A path can become that of the console's page, which is the same for everybody.
  if (!request.authorised && reply.status < 400 && !FOR_ANYBODY.has(id))
    expect(reply.contentType).toBe('text/html; charset=utf-8');
  if (reply.status < 400 || request.method === 'HEAD') return;
  expect(reply.contentType).toBe('application/json; charset=utf-8');
  expect(JSON.parse(reply.body)).toEqual({ error: expect.stringMatching(/./) });
}

function mayLoseAnswer(request: HostileRequest): boolean {
  return request.breaksOff || (!request.hasPlainHead && bytesOf(request).length > MOST_UNREAD);
}

/** The beginnings of the lines that say that something broke. */
function faultsIn(log: string): string[] {
  const lines = log
    .split('\n')
    .filter((line) => line !== '' && (!line.startsWith('{') || /"level":[56]0|"stack"/.test(line)));
  return lines.map((line) => line.slice(0, 300));
}

/** Two pages of every list, and cursors to the second one. */
async function prepare(): Promise<{ branchId: string; issueId: string; cursors: string[] }> {
  const { access } = installation;
  const workspace = `/workspaces/${access.workspaceId}`;
  let branchId = '';
  for (const name of ['one', 'two']) ({ branchId } = await call('POST', `${workspace}/branches/v1`, { name }));
  await call('POST', `${workspace}/branches/${branchId}/publications/v1`, {});
  for (const name of ['one', 'two']) {
    const events = (['int', 'float'] as const).map((type) =>
      eventReport(name, [
        { name: 'one', type },
        { name: 'two', type },
      ]),
    );
    await call('POST', '/inspector/batches/v1', batchOf(events));
  }
  await newIds();
  const urls = OPERATIONS.filter(({ query }) => query.has('cursor')).map(({ path, required }) => {
    const named = path.replace('{workspaceId}', access.workspaceId).replace('{branchId}', branchId);
    return `${named}?limit=1${required.map((name) => `&${name}=one`).join('')}`;
  });
  const pages = await Promise.all(urls.map((url) => call('GET', url)));
  for (const [index, { nextCursor }] of pages.entries()) expect([urls[index], nextCursor]).not.toContain(null);
  const { issues } = await call('GET', `${workspace}/inspector/issues/v1`);
  return { branchId, issueId: issues[0].issueId, cursors: pages.map(({ nextCursor }) => String(nextCursor)) };
}

/** What requests to the operation act upon; they may delete it. */
async function newTargets({ id }: { id: string }): Promise<Targets> {
  const { access } = installation;
  const cookies = id === 'endSession' ? await sessionsToEnd() : [session];
  const ids = new Map([
    ['{workspaceId}', access.workspaceId],
    ['{branchId}', branchId],
    ['{issueId}', issueId],
    ...(await newIds()),
  ]);
  return { access, cookies, ids, cursors };
}

/** Of a person, a service account and an API key that nobody else needs. */
async function newIds(): Promise<[parameter: string, id: string][]> {
  const { administration, access } = installation;
  const { accounts, keys } = administration;
  const { workspaceId } = access;
  const { account } = await accounts.create({
    workspaceId,
    label: 'hostile',
    email: 'ci@example.com',
    scopes: [],
    ratePerSecond: null,
    rateEnforcement: null,
  });
  const { key } = await keys.create({ workspaceId, source: 'android-shop', samplingRate: 1 });
  return [
    ['{userId}', await newUser('viewer')],
    ['{accountId}', account.accountId],
    ['{keyId}', key.keyId],
  ];
}

async function newUser(role: Role): Promise<string> {
  const { administration, access } = installation;
  const email = `${randomUUID()}@example.com`;
  const invited = await administration.users.invite({ workspaceId: access.workspaceId, email, role, by: undefined });
  if (typeof invited === 'string') throw new Error(invited);
  return invited.user.userId;
}

/** As many as a person may have, of somebody else: one more would end one of the admin's. */
async function sessionsToEnd(): Promise<string[]> {
  const userId = await newUser('viewer');
  return Promise.all(Array.from({ length: MOST_SESSIONS }, () => newSession(userId)));
}

/** The `cookie` header of a new session. */
async function newSession(userId: string): Promise<string> {
  const { workspaces, sessions } = installation.administration;
  const { workspaceId } = installation.access;
  const { token } = await workspaces.write(workspaceId, (tx) => sessions.begin(tx, workspaceId, userId));
  return `branchline-session=${workspaceId}.${token}`;
}

/** A request that is right. */
async function call(method: string, path: string, json?: unknown) {
  const { authorization, apiKey } = installation.access;
  const { status, bytes } = await exchange(server.origin, {
    method,
    path,
    headers: {
      authorization,
      'api-key': apiKey,
      cookie: session,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  expect(status).toBeLessThan(300);
  return JSON.parse(bytes.toString());
}
