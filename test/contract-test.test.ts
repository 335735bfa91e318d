import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type ContractTestOptions,
  type DerivedContract,
  prepareContractTest,
} from '../conformance/derived/contract-test.ts';
import type { Report } from '../conformance/engine/result.ts';
import { loadContract } from '../contract/load.ts';
import { deriveCases } from '../generator/targets/cases/case-file.ts';
import { KEY, type RoomFault, type RoomServer, rooms, startRoomServer } from './support/room-server.ts';

let folder: string;
let spec: string;
let derived: DerivedContract;
let server: RoomServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchline-contract-test-'));
  spec = join(folder, 'rooms.json');
  await writeFile(spec, JSON.stringify(rooms));
  const contract = await loadContract(spec);
  derived = { contract, cases: deriveCases(contract) };
});
afterEach(() => server.close());
afterAll(() => rm(folder, { recursive: true }));

const credentials = { house_key: { token: KEY } };

async function tryRooms(fault?: RoomFault, options: ContractTestOptions = {}): Promise<Report> {
  server = await startRoomServer(fault);
  const prepared = await prepareContractTest(derived, { baseUrl: server.origin, credentials }, { seed: 1, ...options });
  return prepared.run();
}

function listFailed({ results }: Report): string[] {
  return results.filter(({ state }) => state === 'fail').map(({ id }) => id);
}

describe('a server of rooms', () => {
  test('that is right passes whole, with ids from its own answers', async () => {
    const report = await tryRooms();
    const others = report.results.filter(({ state }) => state !== 'pass');
    // Any text is an id.
    expect(others.map(({ id, state }) => [id, state])).toEqual([
      ['readRoom/search/invalid', 'skip'],
      ['deleteRoom/search/invalid', 'skip'],
    ]);
    expect(report).toMatchObject({ conforms: true, coverage: { of: 'operations', demanded: 5, untried: [] } });
  });

  test.each<{ fault: RoomFault; id: string }>([
    { fault: 'forgets what was created', id: 'createRoom/scenario/read' },
    { fault: 'keeps what was deleted', id: 'deleteRoom/scenario/gone' },
    { fault: 'ignores changes', id: 'changeRoom/scenario/update' },
    { fault: 'shows another room', id: 'createRoom/scenario/read' },
  ])('that $fault fails in a scenario alone', async ({ fault, id }) => {
    const report = await tryRooms(fault, { maxExamples: 0 });
    expect(listFailed(report)).toContain(id);
    expect(listFailed(report).every((one) => one.includes('/scenario/') || fault !== 'keeps what was deleted')).toBe(
      true,
    );
  });

  test.each<{ fault: RoomFault; id: string; shrunk: RegExp }>([
    { fault: 'crashes at an emoji', id: 'listRooms/search/valid', shrunk: /\/rooms\?q=(%[0-9A-F]{2})+$/ },
    { fault: 'crashes at a large number', id: 'listRooms/search/valid', shrunk: /\/rooms\?page=-?\d+$/ },
    { fault: 'takes a fraction of a page', id: 'listRooms/search/invalid', shrunk: /\/rooms\?page=1\.5$/ },
  ])('that $fault fails in a search, by the smallest request that shows it', async ({ fault, id, shrunk }) => {
    const report = await tryRooms(fault, { maxExamples: 100 });
    const failure = report.results.find((one) => one.id === id);
    expect(failure).toMatchObject({ state: 'fail' });
    expect(failure?.problems?.at(-1)).toBe('Found at random; --seed 1 finds it again.');
    expect(failure?.exchanges.map(({ request }) => request.url)).toEqual([expect.stringMatching(shrunk)]);
  });

  test('that crashes at a text that programs get wrong fails whatever is chosen at random', async () => {
    const report = await tryRooms('crashes at an apostrophe in a path', { maxExamples: 1 });
    const failure = report.results.find(({ id }) => id === 'readRoom/search/valid');
    expect(failure).toMatchObject({ state: 'fail' });
    expect(failure?.problems?.join()).not.toContain('random');
    expect(failure?.exchanges.map(({ request }) => request.url)).toEqual([
      expect.stringMatching(/\/rooms\/O('|%27)Neil$/),
    ]);
  });
});

const branchline = fileURLToPath(new URL('../bin/branchline.js', import.meta.url));

async function run(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const whole = [branchline, 'contract', 'test', '--spec', spec, ...args];
    const child = execFile(process.execPath, whole, { env: { ...process.env, ...env } }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

describe('the command', () => {
  test('passes a right server, with the credential from the environment, and says so in a report', async () => {
    server = await startRoomServer();
    const json = join(folder, 'report.json');
    const html = join(folder, 'report.html');
    const args = [
      '--base-url',
      server.origin,
      '--max-examples',
      '5',
      '--report',
      `json=${json}`,
      '--report',
      `html=${html}`,
    ];
    const { code, stdout } = await run(args, { BRANCHLINE_CREDENTIAL_HOUSE_KEY: KEY });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/conforms\.\n$/) });
    const report: Report = JSON.parse(await readFile(json, 'utf8'));
    expect(report.contract.source).toBe('rooms.json');
    const all = JSON.stringify(report) + (await readFile(html, 'utf8'));
    expect(all).not.toContain(KEY);
    expect(all).toContain('<BRANCHLINE_CREDENTIAL_HOUSE_KEY>');
  });

  test('fails a wrong one, forgives what a baseline names, and tries what was selected', async () => {
    server = await startRoomServer('keeps what was deleted');
    const file = join(folder, 'credentials.txt');
    await writeFile(file, `# of the house\nhouse_key=${KEY}\n`);
    const args = [
      '--base-url',
      server.origin,
      '--credential-file',
      file,
      '--only',
      'deleteRoom',
      '--exclude',
      '*/search/*',
    ];
    const failed = await run(args);
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('DELETE /rooms/{roomId} has deleted') });
    expect(failed.stdout).toContain('--header \'x-key: \'"$BRANCHLINE_CREDENTIAL_HOUSE_KEY"');
    const baseline = ['--baseline', join(folder, 'known.yaml')];
    await run([...args, ...baseline]);
    expect(await run([...args, ...baseline])).toMatchObject({ code: 0 });
    expect(await run([...args, '--list'])).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining('createRoom'),
    });
  });

  test('tries again what failed at random, as it failed', async () => {
    server = await startRoomServer('crashes at an emoji');
    const json = join(folder, 'random.json');
    const args = ['--base-url', server.origin, '--credential', `house_key=${KEY}`, '--max-examples', '100'];
    const found = await run([...args, '--only', 'listRooms/search', '--seed', '1', '--report', `json=${json}`]);
    expect(found).toMatchObject({ code: 1, stdout: expect.stringContaining('--seed 1 finds it again') });
    const again = await run([...args, '--rerun-failed', json]);
    expect(again).toMatchObject({ code: 1, stdout: expect.stringContaining('--seed 1 finds it again') });
  });

  test('takes path parameters, and lets a command prepare each case', async () => {
    server = await startRoomServer();
    const hook = join(folder, 'hook.mjs');
    await writeFile(
      hook,
      `const { id } = JSON.parse(await new Response(process.stdin).text());
console.log(JSON.stringify(id.endsWith('/valid/plain') ? { skip: 'Not today.' } : { headers: { 'x-from': 'hook' } }));`,
    );
    const values = join(folder, 'values.yaml');
    await writeFile(values, 'roomId: attic\n');
    const args = [
      '--base-url',
      server.origin,
      '--credential',
      `house_key=${KEY}`,
      '--only',
      'readRoom',
      '--max-examples',
      '0',
    ];
    const hooked = await run([
      ...args,
      '--path-file',
      values,
      '--before-case',
      `${process.execPath} ${hook}`,
      '--verbose',
    ]);
    expect(hooked).toMatchObject({ code: 0, stdout: expect.stringContaining('Not today.') });
    const failing = await run([...args, '--path-file', values, '--before-case', 'echo no rooms >&2; exit 3']);
    expect(failing).toMatchObject({ code: 2, stdout: expect.stringContaining('failed: no rooms') });
    expect(failing.stdout).toContain(`so nothing shows whether ${server.origin}/ conforms; the report says why.`);
    const given = await run([...args, '--path', 'roomId=attic']);
    expect(given).toMatchObject({ code: 1, stdout: expect.stringContaining('/rooms/attic') });
  });

  test.each([
    { args: [], problem: '--base-url is needed' },
    {
      args: ['--base-url', 'http://127.0.0.1:9', '--credential', 'door=x'],
      problem: 'there is no security scheme "door"',
    },
    {
      args: ['--base-url', 'http://127.0.0.1:9', '--path', 'room=x'],
      problem: 'no path parameter "room"; it has "roomId"',
    },
    {
      args: ['--base-url', 'http://127.0.0.1:9', '--max-examples', 'many'],
      problem: '--max-examples must be a whole number',
    },
    { args: ['--base-url', 'http://127.0.0.1:9', '--only', 'nothing'], problem: 'No case has "nothing"' },
    { args: ['--base-url', 'http://127.0.0.1:9'], problem: 'Is --base-url right?' },
  ])('says what keeps it from running: $problem', async ({ args, problem }) => {
    server = await startRoomServer();
    expect(await run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
  });
});
