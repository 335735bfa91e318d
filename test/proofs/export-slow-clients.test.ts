import { once } from 'node:events';
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testedEngine } from '../../server/storage/testing/databases.ts';
import type { ServerProcess } from '../support/command-line.ts';
import { basic } from '../support/server.ts';
import { Caller } from './support/caller.ts';
import { exported } from './support/exported.ts';
import { type Access, type Installation, install } from './support/installation.ts';
import { insertBranches } from './support/many-branches.ts';
import { closed, openConnection } from './support/raw-client.ts';
import { scale } from './support/scale.ts';

/** Some 14 MiB, several times what the connection's buffers hold. */
const BRANCHES = 100_000;
const STOPPED_CLIENTS = 6;
const SLOW_BYTES_PER_SECOND = 16_384;
/** More than the two minutes after which a client that took nothing would be cut off. */
const SLOW_SECONDS = scale({ usual: 10, full: 150 });
const SPOOL_MIB = 48;
const MEBIBYTE = 1_048_576;

let installation: Installation;
let server: ServerProcess;
let other: Access;
beforeAll(async () => {
  installation = await install();
  await insertBranches(installation, BRANCHES);
  other = await newWorkspace('other');
  server = await installation.start(['--export-spool', String(SPOOL_MIB)]);
});
afterAll(() => installation.remove());

it(
  'clients that stop reading keep no other workspace from exporting, and take bounded disk',
  { timeout: 180_000 },
  async () => {
    const sockets = await Promise.all(Array.from({ length: STOPPED_CLIENTS }, () => askForExport()));
    const beginnings = sockets.map(async (socket) => {
      const [first] = await once(socket, 'data');
      socket.pause();
      return Number(/^HTTP\/1.1 (\d+)/.exec(String(first))?.[1]);
    });
    const caller = new Caller(server.origin, other, 1);
    for (let count = 0; count < 5; count += 1) expect((await caller.export()).status).toBe(200);
    await caller.close();
    const statuses = await Promise.all(beginnings);
    console.log(`${STOPPED_CLIENTS} clients that stop were answered ${statuses.join(', ')}.`);
    expect(statuses).toContain(200);
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
    expect(bytesOnDisk(server)).toBeLessThanOrEqual((SPOOL_MIB / 2) * MEBIBYTE);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => bytesOnDisk(server)).toBe(0);
  },
);

it(
  `a client that reads ${SLOW_BYTES_PER_SECOND} bytes a second for ${SLOW_SECONDS} seconds, and then the rest, gets a right file`,
  { timeout: 60_000 + 1_000 * SLOW_SECONDS },
  async () => {
    const socket = await askForExport();
    const received: Buffer[] = [];
    for (let second = 0; second < SLOW_SECONDS; second += 1) {
      const bytes: Buffer | null = socket.read(SLOW_BYTES_PER_SECOND) ?? socket.read();
      if (bytes !== null) received.push(bytes);
      await delay(1_000);
    }
    socket.on('data', (bytes: Buffer) => received.push(bytes));
    await closed(socket);
    expect(exported(bodyOf(Buffer.concat(received)))).toHaveLength(BRANCHES);
  },
);

// PostgreSQL has no log that a snapshot keeps from being cut.
if (testedEngine() === 'sqlite')
  it(
    'beside a client that stops, the write-ahead log stays short however much is written',
    { timeout: 180_000 },
    async () => {
      const socket = await askForExport();
      await once(socket, 'data');
      socket.pause();
      await expect.poll(() => bytesOnDisk(server)).toBeGreaterThan(0);
      const wal = `${installation.database}-wal`;
      const status = (n: number) => (n % 2 === 0 ? 'Closed' : 'Draft');
      let longest = 0;
      for (let round = 0; round < 16; round += 1) {
        await installation.administration.storage.write((tx) =>
          tx
            .updateTable('branches')
            .set({ status: status(round) })
            .where('workspace_id', '=', 'shop')
            .execute(),
        );
        longest = Math.max(longest, statSync(wal).size);
      }
      console.log(`The log was ${(longest / MEBIBYTE).toFixed(0)} MiB at most.`);
      // A checkpoint at 64, and what is written before it is done. A snapshot that is held makes some 320 of it.
      expect(longest).toBeLessThan(160 * MEBIBYTE);
      socket.destroy();
    },
  );

it('after a kill nothing of the exports is left on disk', { timeout: 120_000 }, async () => {
  const socket = await askForExport();
  await once(socket, 'data');
  socket.pause();
  await expect.poll(() => bytesOnDisk(server)).toBeGreaterThan(0);
  await server.stop('SIGKILL');
  const folder = testedEngine() === 'postgres' ? tmpdir() : dirname(installation.database);
  expect(readdirSync(folder).filter((name) => name.startsWith('.branchline-'))).toEqual([]);
});

async function askForExport(): Promise<Socket> {
  const { workspaceId, authorization } = installation.access;
  const socket = await openConnection(server.origin);
  const path = `/workspaces/${workspaceId}/branches/export/v1`;
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: ${authorization}\r\n\r\n`);
  return socket;
}

/** An account of a new workspace, with a branch. */
async function newWorkspace(workspaceId: string): Promise<Access> {
  const { workspaces, accounts } = installation.administration;
  await workspaces.create(workspaceId);
  const { account, secret } = await accounts.create({
    workspaceId,
    label: 'proof',
    email: 'ci@example.com',
    scopes: ['branches:export'],
    ratePerSecond: null,
    rateEnforcement: null,
  });
  return { workspaceId, authorization: basic({ name: account.name, secret }), apiKey: '' };
}

/** The chunks of a reply on the wire, put together. */
function bodyOf(reply: Buffer): string {
  expect(reply.toString('latin1', 0, 15)).toBe('HTTP/1.1 200 OK');
  const pieces: Buffer[] = [];
  let at = reply.indexOf('\r\n\r\n') + 4;
  for (;;) {
    const lineEnd = reply.indexOf('\r\n', at);
    const length = Number.parseInt(reply.toString('latin1', at, lineEnd), 16);
    expect(length, 'each chunk has its length').not.toBeNaN();
    if (length === 0) return Buffer.concat(pieces).toString();
    pieces.push(reply.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
}

/** How much a server holds in files that have no name. */
function bytesOnDisk({ process: { pid } }: ServerProcess): number {
  const folder = `/proc/${pid}/fd`;
  const sizes = readdirSync(folder).map((fd) => {
    try {
      return readlinkSync(join(folder, fd)).includes('/.branchline-') ? statSync(join(folder, fd)).size : 0;
    } catch {
      // It was closed meanwhile.
      return 0;
    }
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}
