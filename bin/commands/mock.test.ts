import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const launcher = fileURLToPath(new URL('../branchline.js', import.meta.url));

const contractWith = (greeting: string) => `openapi: 3.1.0
info: { title: Greetings, version: '1' }
paths:
  /greeting:
    get:
      operationId: greet
      responses: { '200': { description: Hello, content: { application/json: { example: { says: ${greeting} } } } } }
`;

let folder: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchline-mock-'));
  await writeFile(join(folder, 'api.yaml'), contractWith('hello'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

function start(...args: string[]) {
  const child = spawn(process.execPath, [launcher, 'mock', ...args], { cwd: folder });
  children.push(child);
  let said = '';
  const waitFor = (pattern: RegExp): Promise<string> =>
    expect
      .poll(() => said, { interval: 20 })
      .toMatch(pattern)
      .then(() => pattern.exec(said)?.[1] ?? '');
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  return { child, waitFor };
}

/** On a connection of its own: one that is kept ends with the server that is replaced. */
const greet = async (address: string) =>
  (await fetch(`${address}/greeting`, { headers: { connection: 'close' } })).json();

test('serves a contract until it is told to end, and again whenever it changes', async () => {
  const { child, waitFor } = start('api.yaml', '--port', '0', '--watch');
  const address = await waitFor(/^GET {5}\/greeting {2}greet\nListening on (http:\S+)\nWatching api\.yaml/);
  expect(await greet(address)).toEqual({ says: 'hello' });
  await writeFile(join(folder, 'api.yaml'), 'nonsense: true');
  await waitFor(/api\.yaml:1:1 {2}(.*)/);
  expect(await greet(address)).toEqual({ says: 'hello' });
  await writeFile(join(folder, 'api.yaml'), contractWith('good-bye'));
  expect(await waitFor(/[^]*Listening[^]*Listening on (http:\S+)\nWatching/)).toBe(address);
  expect(await greet(address)).toEqual({ says: 'good-bye' });
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('says in a sentence why it can not listen', async () => {
  const port = new URL(await start('api.yaml', '--port', '0').waitFor(/Listening on (http:\S+)/)).port;
  const { child, waitFor } = start('api.yaml', '--port', port);
  await waitFor(/^branchline: The port \d+ is taken; name another with --port\.\n$/);
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(2);
});

test('says that a contract has become a named pipe, and serves it again once it is a file', async () => {
  const { child, waitFor } = start('api.yaml', '--port', '0', '--watch');
  await waitFor(/Watching/);
  await rm(join(folder, 'api.yaml'));
  execFileSync('mkfifo', [join(folder, 'api.yaml')]);
  await waitFor(/api\.yaml is a named pipe, not a regular file, and can't be watched\.\nWatching/);
  await rm(join(folder, 'api.yaml'));
  await writeFile(join(folder, 'api.yaml'), contractWith('good-bye'));
  const address = await waitFor(/can't be watched[^]*Listening on (http:\S+)/);
  expect(await greet(address)).toEqual({ says: 'good-bye' });
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('says that a URL can not be watched', async () => {
  const { child, waitFor } = start('http://127.0.0.1:1/api.yaml', '--watch');
  await waitFor(/^error: a URL can not be watched\n/);
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(2);
});

test('is ended by a signal while it waits for its contract', async () => {
  const pipe = join(folder, 'pipe.yaml');
  execFileSync('mkfifo', [pipe]);
  const { child } = start(pipe, '--port', '0');
  const writer = await open(pipe, 'w');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([null, 'SIGTERM']);
  await writer.close();
});
