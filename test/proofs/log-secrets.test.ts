import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tables } from '../../server/storage/tables.ts';
import type { ServerProcess } from '../support/command-line.ts';
import { exchange } from '../support/exchange.ts';
import { basic } from '../support/server.ts';
import { type Installation, install, newAuthorization, WORKSPACE } from './support/installation.ts';
import { goodBody, operations, type Provocation, provocations } from './support/provocations.ts';
import { closed, openConnection } from './support/raw-client.ts';

/** Stands in every e-mail, name, header, query, path and body that is sent. */
const CANARY = 'canary7f3a';
const EMAIL = `owner-${CANARY}@example.com`;
const ANSWERS = [200, 201, 400, 401, 403, 404, 405, 409, 413, 415, 429, 431, 500, 502];

let installation: Installation;
let server: ServerProcess;
let authorization: string;
let branchId: string;
const answers = new Set<number>();

beforeAll(async () => {
  installation = await install();
  authorization = await newAuthorization(installation.administration, { email: EMAIL });
  // Nobody answers there.
  const oidc = ['--oidc-issuer', 'http://localhost:9', '--oidc-client-id', CANARY];
  server = await installation.start(['--log-level', 'trace', '--drain-delay', '0', ...oidc], {
    BRANCHLINE_OIDC_CLIENT_SECRET: `secret-${CANARY}`,
  });
});
afterAll(() => installation.remove());

it('no secret, key, e-mail, body, header, query or path is in any log line at any level, whatever is answered', async () => {
  await makeBranch();
  await everyOperation();
  await brokenRequests();
  await whileConstraintsFail();
  await whileTablesAreMissing();
  await server.stop();

  expect([...answers], 'every kind of answer was given').toEqual(expect.arrayContaining(ANSWERS));
  const lines = server.log().split('\n');
  expect(lines.filter((line) => /"(request failed|not served)"/.test(line)).length).toBeGreaterThan(10);
  const [, secret = ''] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':');
  const { apiKey } = installation.access;
  for (const text of [CANARY, secret, authorization.slice('Basic '.length), apiKey, apiKey.split('.').at(-1) ?? '']) {
    expect(lines.filter((line) => line.includes(text)).map((line) => around(text, line))).toEqual([]);
    expect(server.output()).not.toContain(text);
  }
}, 120_000);

function around(text: string, line: string): string {
  const at = line.indexOf(text);
  return line.slice(Math.max(0, at - 100), at + text.length + 20);
}

async function makeBranch(): Promise<void> {
  const { bytes } = await exchange(server.origin, {
    method: 'POST',
    path: `/workspaces/${WORKSPACE}/branches/v1`,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(goodBody('createBranch', CANARY)),
  });
  ({ branchId } = JSON.parse(bytes.toString()));
}

/** Each operation in all ways, as whoever may and as whoever may not. */
async function everyOperation(): Promise<void> {
  const { administration } = installation;
  const readerOfReports = await newAuthorization(administration, { scopes: ['inspector:read'], email: EMAIL });
  const readerOfBranches = await newAuthorization(administration, { scopes: ['branches:export'], email: EMAIL });
  const limited = await newAuthorization(administration, { email: EMAIL, hardLimit: 1 });
  const wrong = basic({ name: CANARY, secret: CANARY });
  for (const as of [authorization, readerOfReports, readerOfBranches, limited, wrong, CANARY]) {
    for (const operation of operations(WORKSPACE, branchId)) {
      const key = as === authorization ? installation.access.apiKey : `blk_${CANARY}`;
      for (const request of provocations(operation, CANARY)) await send(request, as, key);
    }
  }
}

/** What breaks off, or is no request at all. */
async function brokenRequests(): Promise<void> {
  const start = `POST /workspaces/${WORKSPACE}/branches/v1 HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n`;
  const json = 'content-type: application/json\r\n';
  for (const text of [
    `${CANARY}\r\n\r\n`,
    `GET /${CANARY} HTTP/9.9\r\nx: ${CANARY}\r\n\r\n`,
    `${start}content-length: 1\r\ncontent-length: 2\r\n\r\n${CANARY}`,
    `${start}expect: ${CANARY}\r\n\r\n`,
    `${start}${json}transfer-encoding: chunked\r\n\r\n${CANARY}\r\n`,
    `${start}${json}content-length: 100\r\n\r\n{"name":"${CANARY}`,
  ]) {
    const socket = await openConnection(server.origin);
    socket.end(text).resume();
    await closed(socket);
  }
}

/** The engine's errors name the values that broke a rule. */
async function whileConstraintsFail(): Promise<void> {
  await onDatabase(async (db) => {
    await sql`delete from branch_events`.execute(db);
    await sql`create unique index one_event_each on branch_events (user_email, type)`.execute(db);
    await sql`delete from observed_events`.execute(db);
    await sql`create unique index one_of_a_name on observed_events (event_name)`.execute(db);
  });
  for (let time = 0; time < 2; time += 1) await eachOnce(`${CANARY}-${time}`);
  for (const text of ['a', 'b']) {
    const body = JSON.stringify(goodBody('ingestBatch', CANARY)).replace(
      `"version":"${CANARY}"`,
      `"version":"${text}"`,
    );
    const headers = { 'content-type': 'application/json' };
    await send(
      { method: 'POST', path: '/inspector/batches/v1', headers, body },
      authorization,
      installation.access.apiKey,
    );
  }
}

async function whileTablesAreMissing(): Promise<void> {
  for (const table of [
    'observed_types',
    'observed_events',
    'observed_shapes',
    'branch_events',
    'branches',
    'service_accounts',
    'api_keys',
  ]) {
    await onDatabase((db) => db.schema.dropTable(table).execute());
    await eachOnce(CANARY);
  }
}

/** Each operation once, made well. */
async function eachOnce(text: string): Promise<void> {
  for (const operation of operations(WORKSPACE, branchId)) {
    for (const request of provocations(operation, text)) {
      await send(request, authorization, installation.access.apiKey);
      break;
    }
  }
}

async function onDatabase(work: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
  await installation.administration.storage.write(work);
}

async function send(request: Provocation, authorization: string, apiKey: string): Promise<void> {
  const headers = { ...request.headers, authorization, 'api-key': apiKey };
  const answer = await exchange(server.origin, { ...request, headers }).catch(() => undefined);
  if (answer !== undefined) answers.add(answer.status);
}
