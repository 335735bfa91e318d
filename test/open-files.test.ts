import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServerProcess, startProcess } from './support/command-line.ts';
import { printedCredentials } from './support/postgres-server.ts';

/** A server that may have few files open, of which every connection is one. */

let folder: string;
let server: ServerProcess;
let authorization: string;
let agent: Agent;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-open-files-'));
  // One connection, made before there are no files for another.
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});

afterEach(async () => {
  agent.destroy();
  await server.stop('SIGINT');
  rmSync(folder, { recursive: true });
});

async function start(before?: string): Promise<void> {
  server = await startProcess(join(folder, 'branchline.db'), [], {}, 'pipe', before);
  authorization = printedCredentials(server)?.authorization ?? '';
}

async function ask(method: string, path: string, body?: object): Promise<number | undefined> {
  const headers = { authorization, 'content-type': 'application/json', origin: server.origin };
  const asked = request(new URL(path, server.origin), { agent, method, headers });
  asked.end(body && JSON.stringify(body));
  const [answer] = await once(asked, 'response');
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
}

let names = 0;
const create = () => ask('POST', '/workspaces/demo/branches/v1', { name: `branch-${(names += 1)}` });
const signIn = () =>
  ask('POST', '/workspaces/demo/sessions/v1', { email: 'ada@example.com', password: 'not the password' });
const takeExport = () => ask('GET', '/workspaces/demo/branches/export/v1');

it('takes only as many connections as leave it the files that it needs, and says so', async () => {
  await start('ulimit -n 130');
  expect(await ask('GET', '/livez')).toBe(200);
  const { hostname, port } = new URL(server.origin);
  const refused = Promise.withResolvers<void>();
  let left = 150;
  const strangers = Array.from({ length: left }, () =>
    connect(Number(port), hostname)
      .on('error', () => {})
      // One of the 44 is ours.
      .on('close', () => (left -= 1) === 43 && refused.resolve())
      .resume(),
  );
  await refused.promise;
  expect([await create(), await takeExport(), await ask('GET', '/sign-in'), await signIn()]).toEqual([
    201, 200, 200, 401,
  ]);
  for (const socket of strangers) socket.destroy();
  expect(await server.stop('SIGINT')).toBe(0);
  expect(server.log()).toMatch(/may have 130 files open, so at most 44 connections are taken at a time, not 10000\./);
  expect(server.log()).not.toContain('EMFILE');
});

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0;

describe.skipIf(!hasPrlimit)(`a process without a file left${hasPrlimit ? '' : ' (needs prlimit)'}`, () => {
  it('goes on writing, answers 503 where it can not do without, and says once what to do', async () => {
    await start();
    expect(await create()).toBe(201);
    const { pid } = server.process;
    const limitFiles = (files: number) => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${files}:`]);
    // A limit on their numbers: those below it are all taken.
    const open = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
    limitFiles(Array.from({ length: open.size + 1 }, (_, number) => number).findIndex((number) => !open.has(number)));
    expect(await create()).toBe(201);
    expect([await takeExport(), await ask('GET', '/sign-in'), await signIn()]).toEqual([503, 503, 503]);
    limitFiles(1_000);
    expect([await takeExport(), await ask('GET', '/sign-in'), await signIn()]).toEqual([200, 200, 401]);
    expect(await server.stop('SIGINT')).toBe(0);
    expect(server.log().match(/raise the limit of open files/g)).toHaveLength(1);
    expect(server.log()).not.toContain('"stack"');
  });
});
