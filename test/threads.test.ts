import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type ServerProcess, startProcess } from './support/command-line.ts';
import { printedCredentials } from './support/postgres-server.ts';

/** A server, or a command, that can't start its threads, or could not if it stayed where it was started. */

const LAUNCHER = fileURLToPath(new URL('../bin/branchline.js', import.meta.url));

let folder: string;
let database: string;
let server: ServerProcess | undefined;
let authorization: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-threads-'));
  database = join(folder, 'branchline.db');
});

afterEach(async () => {
  await server?.stop('SIGKILL');
  server = undefined;
  rmSync(folder, { recursive: true });
});

interface Start {
  file?: string;
  env?: Record<string, string>;
  before?: string;
}

async function start({ file = database, env = {}, before }: Start = {}): Promise<ServerProcess> {
  server = await startProcess(file, ['--drain-delay', '0'], env, 'pipe', before);
  authorization = printedCredentials(server)?.authorization ?? authorization;
  return server;
}

/** @returns the status, and how long to wait before the next try, if that is said */
async function ask({ origin }: ServerProcess, path: string, body?: object): Promise<string> {
  const headers = { authorization, 'content-type': 'application/json', origin };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(new URL(path, origin), init);
  await answer.arrayBuffer();
  return [answer.status, answer.headers.get('retry-after')].filter((part) => part !== null).join(', again after ');
}

let names = 0;
const create = (to: ServerProcess) => ask(to, '/workspaces/demo/branches/v1', { name: `branch-${(names += 1)}` });
const signIn = (to: ServerProcess) =>
  ask(to, '/workspaces/demo/sessions/v1', { email: 'ada@example.com', password: 'not the password' });
const isReady = (to: ServerProcess) => ask(to, '/readyz');

/** All that a thread is needed for, but `isReady` last: it would start one. */
const all = async (to: ServerProcess) => [await signIn(to), await create(to), await isReady(to)];

const SERVED = ['401', '201', '200'];
const UNAVAILABLE = '503, again after 1';

describe('a working directory that is gone', () => {
  let gone: string;
  beforeEach(() => {
    gone = join(folder, 'gone');
    mkdirSync(gone);
  });

  it.each([
    ['its whole path', () => database],
    ['a relative one', () => '../branchline.db'],
  ])('takes nothing from a server that runs, whose database was named by %s', async (_what, name) => {
    const running = await start({ file: name(), before: `cd '${gone}'` });
    rmdirSync(gone);
    expect(await all(running)).toEqual(SERVED);
    expect(await running.stop()).toBe(0);
    expect(running.log()).not.toContain('"stack"');
    const again = await start();
    expect(await all(again)).toEqual(SERVED);
  });

  it('takes nothing from a server that starts there', async () => {
    const running = await start({ before: `cd '${gone}' && rmdir '${gone}'` });
    expect(await all(running)).toEqual(SERVED);
    expect(await running.stop()).toBe(0);
    expect(running.log()).not.toContain('"stack"');
  });

  /** Runs a command there to its end. */
  function runThere(...args: string[]) {
    const script = `cd '${gone}' && rmdir '${gone}' && exec "$0" "$@"`;
    const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, LAUNCHER, ...args], {
      encoding: 'utf8',
    });
    mkdirSync(gone);
    return { status, stderr };
  }

  it('lets commands write, and what they are given by a relative path is refused', async () => {
    expect(runThere('workspace', 'create', 'shop', '--database', database)).toEqual({ status: 0, stderr: '' });
    for (const [flag, ...command] of [
      ['--database', 'serve', '--port', '0'],
      ['--database', 'workspace', 'create', 'shop'],
      ['--tls-cert', 'serve', '--port', '0', '--database', database, '--tls-key', '/key.pem'],
      ['--hash-key-file', 'workspace', 'list', '--database', database],
    ] as const) {
      expect(runThere(...command, flag, '../branchline.db')).toEqual({
        status: 2,
        stderr:
          "branchline: The working directory is gone, so the file ../branchline.db can't be found. " +
          'Change to a folder that is there, or name the file by its whole path.\n',
      });
    }
  });
});

describe('no thread can be started', () => {
  let fault: string;
  let env: Record<string, string>;
  beforeEach(() => {
    fault = join(folder, 'no-threads');
    writeFileSync(fault, '');
    env = {
      NODE_OPTIONS: `--import=${new URL('support/no-threads.ts', import.meta.url).href}`,
      NO_THREADS_WHILE: fault,
    };
  });

  it('a server says so, is not ready, and serves again when they can be', async () => {
    await (await start()).stop();
    const running = await start({ env });
    expect(await all(running)).toEqual([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]);
    rmSync(fault);
    expect(await all(running)).toEqual(SERVED);
    expect(await running.stop()).toBe(0);
    const why = /The thread that (writes|checks passwords) can't be started: EAGAIN\. Raise the limit of threads/;
    const lines = running.log().split('\n');
    for (const said of ['"not ready"', '"msg":"The thread']) {
      expect(lines.filter((line) => line.includes(said))).toEqual([expect.stringMatching(why)]);
    }
    expect(running.log()).not.toMatch(/"stack"|disk/);
  });

  it('a first start makes no demo, and ends in good order', async () => {
    const running = await start({ env });
    expect(running.output()).not.toContain('curl');
    expect(await isReady(running)).toBe(UNAVAILABLE);
    expect(await running.stop()).toBe(0);
    expect(running.log()).not.toContain('"stack"');
    rmSync(fault);
    expect((await start()).output()).toContain('curl');
  });

  it('a command ends with a sentence', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [LAUNCHER, 'workspace', 'create', 'shop', '--database', database],
      { env: { ...process.env, ...env }, encoding: 'utf8' },
    );
    expect(stderr).toMatch(/^branchline: The thread that writes can't be started: EAGAIN\. Raise the limit.*\.\n$/);
    expect(status).toBe(2);
  });
});

const USER = 50_000 + (process.pid % 10_000);
const AS_USER = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups'] as const;
const [setpriv, ...ofUser] = AS_USER;
const canBeUser = spawnSync(setpriv, [...ofUser, process.execPath, LAUNCHER, '--version']).status === 0;

describe.skipIf(!canBeUser)(
  `a user who may have no more threads${canBeUser ? '' : ' (needs root and setpriv)'}`,
  () => {
    const LIMIT = 64;

    /** Takes all that the user may have, and more, until it is told to end. */
    async function takeAll(): Promise<() => Promise<void>> {
      const script = `exec 3<&0; for i in $(seq ${LIMIT}); do cat <&3 & done; echo taken; wait`;
      const takers = spawn(setpriv, [...ofUser, 'sh', '-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
      const ended = once(takers, 'close');
      const end = async () => {
        takers.stdin.end();
        await ended;
      };
      onTestFinished(end);
      await once(takers.stdout, 'data');
      return end;
    }

    it('is told so by each sign-in and once by the log, and can write meanwhile', async () => {
      chownSync(folder, USER, USER);
      chmodSync(folder, 0o700);
      const limited = `exec ${AS_USER.join(' ')} prlimit --nproc=${LIMIT} "$0" "$@"`;
      const running = await start({ before: limited });
      const endTaking = await takeAll();
      expect(await signIn(running)).toBe(UNAVAILABLE);
      expect(await all(running)).toEqual([UNAVAILABLE, '201', '200']);
      await endTaking();
      expect(await all(running)).toEqual(SERVED);
      expect(await running.stop()).toBe(0);
      expect(running.log().match(/"msg":"The thread that checks passwords can't be started/g)).toHaveLength(1);
      expect(running.log()).not.toContain('"stack"');
    });
  },
);
