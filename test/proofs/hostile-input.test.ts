import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchOf, eventReport } from '../support/batch.ts';
import type { ServerProcess } from '../support/command-line.ts';
import { exchange } from '../support/exchange.ts';
import { contractOperations } from './support/contract-operations.ts';
import { bytesOf, type HostileRequest, hostileRequests, type Targets } from './support/hostile-requests.ts';
import { type Installation, install } from './support/installation.ts';
import { exchangeRaw, type RawReply } from './support/raw-exchange.ts';
import { scale } from './support/scale.ts';

const REQUESTS = scale({ usual: 250, full: 5_000 });

/** A request that is no HTTP, or has headers beyond all bounds, is refused at once; who still sends then may lose the answer. */
const MOST_UNREAD = 16_384;

const OPERATIONS = contractOperations();

let installation: Installation;
let server: ServerProcess;
let targets: Targets;
beforeAll(async () => {
  installation = await install();
  server = await installation.start();
  targets = await prepare();
}, 120_000);
afterAll(() => installation.remove());

describe(`no input makes a fault of the server: ${REQUESTS} requests`, () => {
  it.each(OPERATIONS)('to $id', { timeout: 900_000 }, async (operation) => {
    const logged = server.log().length;
    const answers = new Set<string>();
    const property = fc.asyncProperty(hostileRequests(operation, targets), async (request) => {
      const reply = await sendHostile(request);
      answers.add(`${request.authorised ? 'somebody' : 'nobody'}: ${reply?.status}`);
      check(request, reply);
    });
    await fc.assert(property, { numRuns: REQUESTS });

    expect(faultsIn(server.log().slice(logged))).toEqual([]);
    expect(await call('GET', '/readyz')).toEqual({ status: 'ready' });
    expect([...answers], 'also what is wrong only in part was sent').toEqual(
      expect.arrayContaining(['nobody: 401', 'somebody: 400', expect.stringMatching(/^somebody: (20\d|409)/)]),
    );
  });
});

/** An answer that comes while megabytes are on their way can be lost to a reset; not twice. */
async function sendHostile(request: HostileRequest): Promise<RawReply | undefined> {
  const reply = await exchangeRaw(server.origin, request);
  return reply === undefined && bytesOf(request).length > MOST_UNREAD ? exchangeRaw(server.origin, request) : reply;
}

function check(request: HostileRequest, reply: RawReply | undefined): void {
  if (reply === undefined) {
    expect(mayLoseAnswer(request), 'there is an answer').toBe(true);
    return;
  }
  expect(reply.status, reply.body).toBeLessThan(500);
  if (!request.authorised) expect(reply.status).toBeGreaterThanOrEqual(400);
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
async function prepare(): Promise<Targets> {
  const { access } = installation;
  const workspace = `/workspaces/${access.workspaceId}`;
  let branchId = '';
  for (const name of ['one', 'two']) ({ branchId } = await call('POST', `${workspace}/branches/v1`, { name }));
  for (const name of ['one', 'two']) {
    const events = (['int', 'float'] as const).map((type) => eventReport(name, [{ name, type }]));
    await call('POST', '/inspector/batches/v1', batchOf(events));
  }
  const lists = OPERATIONS.filter(({ query }) => query.has('cursor'));
  const paths = lists.map(({ path }) => `${path.replace('{workspaceId}', access.workspaceId)}?limit=1`);
  const pages = await Promise.all(paths.map((path) => call('GET', path)));
  return { access, branchId, cursors: pages.map(({ nextCursor }) => String(nextCursor)) };
}

/** A request that is right. */
async function call(method: string, path: string, json?: unknown) {
  const { authorization, apiKey } = installation.access;
  const { status, bytes } = await exchange(server.origin, {
    method,
    path,
    headers: { authorization, 'api-key': apiKey, 'content-type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  expect(status).toBeLessThan(300);
  return JSON.parse(bytes.toString());
}
