// @module-tag both-engines
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { BranchRow } from '../../server/branches/tables.ts';
import contract from '../../server/generated/contract.json' with { type: 'json' };
import { ofTest } from '../../server/storage/testing/statements-of-tests.ts';
import { expectError } from '../support/expect-error.ts';
import { basic, startTestServer, type TestServer } from '../support/server.ts';

/** The rows of docs/decisions.md, "Export", over HTTP. */

let server: TestServer;
let now = Date.parse('2026-01-02T03:04:05.678Z');

beforeAll(async () => {
  server = await startTestServer({ clock: () => (now += 1_000) });
});
afterAll(() => server.close());

const HOSTILE_EMAIL = '"=cmd|\' /C calc\'!A0, ""x"""@example.com';

const post = (path: string, json: unknown, method = 'POST') =>
  server.call({ method, path: `${server.workspacePath}/branches${path}/v1`, json });

async function branch(name: string, statuses: readonly string[] = []): Promise<string> {
  const { branchId } = JSON.parse((await post('', { name })).text);
  for (const branchStatus of statuses) {
    const answer = await post(`/${branchId}/status`, { branchStatus, userEmail: `${branchStatus}@example.com` }, 'PUT');
    expect(answer.status, answer.text).toBe(200);
  }
  return branchId;
}

const exportCsv = (query = '') => server.call({ path: `${server.workspacePath}/branches/export/v1${query}` });

/** Read back by a CSV library that has nothing to do with the one that wrote it. */
const parse = (csv: string) =>
  Papa.parse<Record<string, string>>(csv, { header: true, newline: '\r\n', skipEmptyLines: 'greedy' });

describe('an export of branches in every state', () => {
  let ids: Record<string, string>;

  beforeAll(async () => {
    ids = {
      draft: await branch('in-draft'),
      ready: await branch('in-review', ['ReadyForReview']),
      approved: await branch('approved', ['ReadyForReview', 'Approved']),
      merged: await branch('merged', ['ReadyForReview', 'Approved', 'Merged']),
      closed: await branch('closed', ['Closed']),
    };
    await post(`/${ids['merged']}/collaborators`, { collaboratorEmail: 'grace@example.com' });
    await post(`/${ids['merged']}/collaborators`, { collaboratorEmail: HOSTILE_EMAIL });
    await post(`/${ids['merged']}/publications`, {});
  });

  it('Format: status, media type, header line, line ends, no byte order mark', async () => {
    const { status, headers, text, bytes } = await exportCsv();
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(bytes[0]).toBe('b'.charCodeAt(0));
    const columns = contract.components.schemas.BranchStatsCsv['x-branchline-columns'];
    expect(columns).toHaveLength(12);
    expect(text.startsWith(`${columns.join(',')}\r\n`)).toBe(true);
    expect(text.endsWith('\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('Format: an export of no branches is the header line', async () => {
    const empty = await startTestServer();
    const { text } = await empty.call({ path: `${empty.workspacePath}/branches/export/v1` });
    expect(text.split('\r\n')).toEqual([expect.stringContaining('branchName,branchId,'), '']);
    await empty.close();
  });

  it('Cells: all 12 columns of each branch', async () => {
    const { data } = parse((await exportCsv()).text);
    const time = expect.stringMatching(/^2026-01-02T03:\d\d:\d\d\.678Z$/);
    const creator = {
      branchCreatorId: server.account.accountId,
      branchCreatorEmail: 'ci@example.com',
      creationDate: time,
    };
    const never = {
      collaborators: '[]',
      lastPublishedDate: '',
      markedReadyForReviewDate: '',
      markedReadyForReviewerUserEmail: '',
      branchMergedDate: '',
      branchMergedUserEmail: '',
    };
    const reviewed = { markedReadyForReviewDate: time, markedReadyForReviewerUserEmail: 'ReadyForReview@example.com' };
    expect(data).toEqual([
      { branchName: 'in-draft', branchId: ids['draft'], branchStatus: 'Draft', ...creator, ...never },
      {
        branchName: 'in-review',
        branchId: ids['ready'],
        branchStatus: 'ReadyForReview',
        ...creator,
        ...never,
        ...reviewed,
      },
      {
        branchName: 'approved',
        branchId: ids['approved'],
        branchStatus: 'Approved',
        ...creator,
        ...never,
        ...reviewed,
      },
      {
        branchName: 'merged',
        branchId: ids['merged'],
        branchStatus: 'Merged',
        ...creator,
        ...reviewed,
        collaborators: JSON.stringify(['grace@example.com', HOSTILE_EMAIL]),
        lastPublishedDate: time,
        branchMergedDate: time,
        branchMergedUserEmail: 'Merged@example.com',
      },
      { branchName: 'closed', branchId: ids['closed'], branchStatus: 'Closed', ...creator, ...never },
    ]);
  });

  it('Order: two exports are the same to the byte', async () => {
    expect((await exportCsv()).text).toBe((await exportCsv()).text);
  });

  it('Formulas: bytes are kept, unless the reader is a spreadsheet', async () => {
    const id = await branch('formula');
    await post(`/${id}/status`, { branchStatus: 'ReadyForReview', userEmail: '=1+1@example.com' }, 'PUT');
    const cell = (csv: string) =>
      parse(csv).data.find(({ branchName }) => branchName === 'formula')?.['markedReadyForReviewerUserEmail'];
    expect(cell((await exportCsv()).text)).toBe('=1+1@example.com');
    expect(cell((await exportCsv('?safe=spreadsheet')).text)).toBe("'=1+1@example.com");
    await post(`/${id}/collaborators`, { collaboratorEmail: '"a;=1+1"@example.com' });
    expect((await exportCsv()).text).toContain('a;=1+1');
    expect((await exportCsv('?safe=spreadsheet')).text).toContain("a;'=1+1");
    expectError(await exportCsv('?safe=yes'), 400, /safe/);
  });

  it('Filter: only the statuses that are asked for', async () => {
    const statuses = async (query: string) =>
      parse((await exportCsv(query)).text).data.map((row) => row['branchStatus']);
    expect(new Set(await statuses('?branchStatuses=Draft,Merged'))).toEqual(new Set(['Draft', 'Merged']));
    expect(new Set(await statuses('?branchStatuses=Draft%2CMerged'))).toEqual(new Set(['Draft', 'Merged']));
    expect(await statuses('?branchStatuses=Closed')).toEqual(['Closed']);
    expectError(await exportCsv('?branchStatuses=Open'), 400, /branchStatuses/);
  });

  it('Path of the sample: the same bytes, with a Link to the documented path', async () => {
    const sample = await server.call({ path: `${server.workspacePath}/export/v1` });
    expect(sample.headers.link).toBe('</workspaces/shop/branches/export/v1>; rel="canonical"');
    expect(sample.text).toBe((await exportCsv()).text);
  });
});

describe('Whole or broken', () => {
  it('an error before the first row is a JSON error', async () => {
    const broken = await startTestServer();
    await broken.administration.storage.db.schema.alterTable('branches').renameColumn('created_at', 'gone').execute();
    expectError(await broken.call({ path: `${broken.workspacePath}/branches/export/v1` }), 500);
    await broken.close();
  });

  it.each(['HTTP/1.1', 'HTTP/1.0'])('a later one resets the connection of %s', async (version) => {
    const log: string[] = [];
    const failing = await startTestServer({ log: { write: (line) => log.push(line) } });
    const { storage } = failing.administration;
    await fillBranches(failing, 3_000);
    const whole = storage.stream;
    storage.stream = (query, holder) => failAfterFirstChunk(whole(query, holder));
    expect(await rawExport(failing, version)).toBe('ECONNRESET');
    await expect.poll(() => log.join('')).toContain('"msg":"broken off"');
    expect(log.join('')).toContain('a streamed body failed');
    expect(await failing.metrics.registry.metrics()).toContain('{operation="exportBranchStats",status="broken"} 1');
    storage.stream = whole;
    expect(await rawExport(failing, version)).toBe('ended');
    await failing.close();
  });

  it.each([
    ['HTTP/1.1', ['HTTP/1.1 200', 'HTTP/1.1 400']],
    // Its end is that of the connection: nothing may follow it.
    ['HTTP/1.0', ['HTTP/1.1 200']],
  ])('what can not be read behind the request leaves it whole, of %s', async (version, answers) => {
    const server = await startTestServer();
    await fillBranches(server, 60_000);
    const { end, text } = await rawAnswer(server, version, 'GARBAGE\r\n\r\n');
    expect(end).toBe('ended');
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(answers);
    expect(text.match(/^b-\d+,/gm)).toHaveLength(60_000);
    await server.close();
  });
});

it('Slow clients: they hold back no other workspace, and get a whole file in the end', async () => {
  const server = await startTestServer();
  await fillBranches(server, 60_000);
  const { hostname, port } = new URL(server.origin);
  const slow: { socket: Socket; first: Buffer }[] = [];
  // One after the other: on a slow machine the fifth of as many at once waits too long for its turn, and is refused.
  while (slow.length < 5) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(
      `GET ${server.workspacePath}/branches/export/v1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: ${basic(server.account)}\r\n\r\n`,
    );
    const [first] = await once(socket, 'data');
    socket.pause();
    slow.push({ socket, first });
  }
  await server.administration.workspaces.create('other');
  const as = await server.createAccount(undefined, 'other');
  const answers = Array.from({ length: 5 }, () => server.call({ path: '/workspaces/other/branches/export/v1', as }));
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  for (const { socket, first } of slow) {
    const received = Buffer.concat([first, ...(await Array.fromAsync<Buffer>(socket))]).toString('latin1');
    expect(received).toMatch(/^HTTP\/1.1 200 /);
    expect(received.match(/b-\d+,b-\d+,/g)?.length).toBeGreaterThan(59_000);
    expect(received.endsWith('\r\n0\r\n\r\n')).toBe(true);
  }
  await server.close();
});

async function* failAfterFirstChunk<Row>(chunks: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  for await (const chunk of chunks) {
    yield chunk;
    throw new Error('The disk went away (a fault of this test).');
  }
}

async function fillBranches({ administration, workspaceId }: TestServer, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index): BranchRow => ({
    workspace_id: workspaceId,
    branch_id: `b-${index}`,
    name: `b-${index}`,
    status: 'Draft',
    creator_id: 'c',
    creator_email: 'c@example.com',
    created_at: index,
    collaborators: '[]',
    last_published_at: null,
    ready_at: null,
    ready_email: null,
    merged_at: null,
    merged_email: null,
    sequence: 1,
  }));
  await ofTest(administration.storage).write(async (transaction) => {
    for (let from = 0; from < count; from += 1_000) {
      await transaction
        .insertInto('branches')
        .values(rows.slice(from, from + 1_000))
        .execute();
    }
  });
}

/**
 * How the connection of an export ends: with a clean `ended`, or with an error's code.
 *
 * @param behind what is sent on it once the export has begun
 */
async function rawExport(server: TestServer, version: string): Promise<string> {
  return (await rawAnswer(server, version)).end;
}

function rawAnswer(
  { origin, workspacePath, account }: TestServer,
  version: string,
  behind = '',
): Promise<{ end: string; text: string }> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const finish = (end: string) => resolve({ end, text: Buffer.concat(chunks).toString('latin1') });
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(
      `GET ${workspacePath}/branches/export/v1 ${version}\r\nhost: x\r\nconnection: ${behind === '' ? 'close' : 'keep-alive'}\r\nauthorization: ${basic(account)}\r\n\r\n`,
    );
    if (behind !== '') socket.once('data', () => socket.write(behind));
    socket.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
    socket.on('end', () => finish('ended'));
    socket.on('data', (chunk) => chunks.push(chunk));
  });
}
