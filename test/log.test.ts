import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_WAITING } from '../server/log-writer.ts';
import { branchline, type ServerProcess, startProcess } from './support/command-line.ts';

/** What happens to the real process when its log can't be written: nothing but that lines are missing, and that it says so. */

const FULL_DISK = '/dev/full';

let folder: string;
let server: ServerProcess;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-log-'));
});
afterEach(async () => {
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function start(standardError?: number): Promise<void> {
  server = await startProcess(
    join(folder, 'branchline.db'),
    ['--drain-delay', '0', '--metrics-address', '127.0.0.1:0'],
    {},
    standardError,
  );
}

/** Each request that is refused has a line in the log. */
async function get(path = '/nothing'): Promise<number> {
  const response = await fetch(`${server.origin}${path}`, { headers: { 'x-request-id': 'x'.repeat(64) } });
  await response.text();
  return response.status;
}

async function droppedLines(): Promise<number> {
  const [, address = ''] = /Metrics: (http:\S+)/.exec(server.output()) ?? [];
  const metrics = await (await fetch(address)).text();
  return Number(/^branchline_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
}

/** Asks for much more than fits into the bound and the pipe, about 300 bytes of log each. */
async function fillTheLog(): Promise<void> {
  while ((await droppedLines()) === 0) await Promise.all(Array.from({ length: 200 }, () => get()));
}

describe.skipIf(!existsSync(FULL_DISK))('on a full disk', () => {
  it('the server serves and stops as ever, and counts the lines that are missing', async () => {
    const full = openSync(FULL_DISK, 'w');
    await start(full);
    closeSync(full);
    await fillTheLog();
    expect(await get('/livez')).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});

describe('into a pipe', () => {
  it('whose reader stops, the server serves; when it reads on, it learns how many lines are missing', async () => {
    await start();
    server.process.stderr?.pause();
    await fillTheLog();
    expect(await get('/livez')).toBe(200);

    server.process.stderr?.resume();
    await expect.poll(() => server.log()).toContain('log lines were dropped');
    const lines = server
      .log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const told = lines.find(({ dropped }) => dropped !== undefined);
    expect(told.dropped).toBe(await droppedLines());
    expect(server.log().length).toBeGreaterThan(MAX_WAITING);
  });

  it('whose reader never reads on, the server still stops', async () => {
    await start();
    server.process.stderr?.pause();
    await fillTheLog();
    expect(await server.stop()).toBe(0);
  });

  it('whose reader has gone, the server serves and stops as ever', async () => {
    await start();
    server.process.stderr?.destroy();
    for (let i = 0; i < 20; i += 1) expect(await get()).toBe(404);
    expect(await get('/livez')).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  it('no line is missing after a normal stop', async () => {
    await start();
    const ended = once(server.process, 'close');
    await Promise.all(Array.from({ length: 300 }, () => get()));
    server.process.kill('SIGTERM');
    await ended;
    expect(server.log().match(/"msg":"answered"/g)).toHaveLength(300);
  });
});

it.each([
  ['goes on where nobody reads what it prints', 'pipe', 'EPIPE'],
  ['goes on where what it prints meets a full disk', FULL_DISK, 'ENOSPC'],
])('a server %s', async (_what, output, reason) => {
  if (output === FULL_DISK && !existsSync(FULL_DISK)) return;
  const log = join(folder, 'log');
  const standardOutput = output === 'pipe' ? 'pipe' : openSync(output, 'w');
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../bin/branchline.js', import.meta.url)), 'serve', '--port', '0', '--drain-delay', '0'],
    { cwd: folder, stdio: ['ignore', standardOutput, openSync(log, 'w')] },
  );
  child.stdout?.destroy();
  const ended = once(child, 'exit');
  const listening = /listening on (http:[^"]+)/;
  await expect.poll(() => readFileSync(log, 'utf8')).toMatch(listening);
  await expect.poll(() => readFileSync(log, 'utf8')).toContain('could not be written to standard output');
  const [, origin = ''] = listening.exec(readFileSync(log, 'utf8')) ?? [];
  expect((await fetch(`${origin}/livez`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  const warned = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('could not be written'));
  expect(warned).toEqual([expect.stringContaining(`"reason":"Error: ${reason}: `)]);
  expect(warned[0]).not.toContain('stack');
  // Secrets that nobody has read would open nothing: they are made by the first start that can say them.
  const database = join(folder, 'data', 'branchline.db');
  expect((await branchline(['workspace', 'list', '--database', database])).stdout).toBe('None.\n');
  server = await startProcess(database);
  expect(server.output()).toContain('curl');
});
