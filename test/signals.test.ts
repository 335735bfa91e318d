import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServerProcess, startProcess } from './support/command-line.ts';

/** What signals do to a server, other than SIGTERM. */

let folder: string;
let server: ServerProcess;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-signals-'));
});

afterEach(async () => {
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** @param options of Node; a debugger would have any free port */
async function start(args: string[], options = '--inspect-port=0'): Promise<void> {
  server = await startProcess(join(folder, 'branchline.db'), args, { NODE_OPTIONS: options });
}

const ask = async (path: string) => (await fetch(`${server.origin}${path}`)).status;

/** How many sockets of TCP a process listens on, as Linux tells. */
function countListening(pid: number | undefined): number {
  const open = new Set(readdirSync(`/proc/${pid}/fd`).map((name) => targetOf(`/proc/${pid}/fd/${name}`)));
  const tables = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/${pid}/net/${name}`, 'utf8'));
  const sockets = tables.flatMap((table) => table.split('\n')).map((line) => line.trim().split(/\s+/));
  return sockets.filter((fields) => fields[3] === LISTENING && open.has(`socket:[${fields[9]}]`)).length;
}

const LISTENING = '0A';

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    // It was closed meanwhile.
    return '';
  }
}

describe('SIGUSR1', () => {
  it.skipIf(process.platform !== 'linux')('opens no debugger, and the server goes on', async () => {
    await start(['--drain-delay', '0']);
    server.process.kill('SIGUSR1');
    for (let asked = 0; asked < 20; asked += 1) expect(await ask('/livez')).toBe(200);
    expect(countListening(server.process.pid)).toBe(1);
    expect(await server.stop()).toBe(0);
    expect(server.log()).not.toContain('Debugger');
  });

  it('a debugger that was asked for is there', async () => {
    await start(['--drain-delay', '0'], '--inspect=0');
    expect(server.log()).toContain('Debugger listening on ws://');
  });

  it('opens none in the conformance suite either', async () => {
    const launcher = fileURLToPath(new URL('../conformance/branchline-conformance.js', import.meta.url));
    const suite = spawn(process.execPath, ['--inspect-port=0', launcher, 'sink'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [suite.stdout, suite.stderr])
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await expect.poll(() => printed, { timeout: 20_000 }).toContain('http://');
    suite.kill('SIGUSR1');
    suite.kill('SIGINT');
    await once(suite, 'close');
    expect(printed).not.toContain('Debugger');
  });
});

it.each([
  ['SIGTERM', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
  ['SIGINT', 'SIGINT'],
] as const)('%s, and then %s, ends the server at once', async (first, second) => {
  await start(['--drain-delay', '300', '--drain-timeout', '300']);
  // Without a delay it waits for requests that have begun to arrive.
  const client = connect(Number(new URL(server.origin).port)).on('error', () => {});
  client.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\nGET /livez HTTP/1.1\r\n');
  await once(client, 'data');
  server.process.kill(first);
  await expect.poll(() => server.log()).toContain('"msg":"stopping"');
  await server.stop(second);
  expect(server.process.signalCode).toBe(second);
  client.destroy();
});

describe('SIGHUP, as a terminal that closes sends it', () => {
  it('stops the server as SIGTERM does, however often it comes', async () => {
    await start(['--drain-delay', '2']);
    server.process.kill('SIGHUP');
    await expect.poll(() => ask('/readyz')).toBe(503);
    server.process.kill('SIGHUP');
    expect(await ask('/livez')).toBe(200);
    expect(await server.ended).toBe(0);
    expect(server.log()).toContain('"signal":"SIGHUP"');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('%s ends it at once then', async (signal) => {
    await start(['--drain-delay', '300']);
    server.process.kill('SIGHUP');
    await expect.poll(() => ask('/readyz')).toBe(503);
    await server.stop(signal);
    expect(server.process.signalCode).toBe(signal);
  });
});
