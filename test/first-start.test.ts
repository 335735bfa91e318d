import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServerProcess, startProcess } from './support/command-line.ts';

const shell = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));

/** What a new user does: start it, and paste what it prints. */

let folder: string;
let database: string;
let server: ServerProcess;
let curlLines: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-first-start-'));
  database = join(folder, 'data', 'branchline.db');
  server = await startProcess(database);
  curlLines = server
    .output()
    .split('\n')
    .filter((line) => line.includes('curl '));
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const paste = async (line: string | undefined) => (await shell('sh', ['-c', `${line} --silent --show-error`])).stdout;

it('the printed lines begin with curl and work as pasted, in their order', async () => {
  expect(curlLines).toHaveLength(4);
  for (const line of curlLines) expect(line).toMatch(/^curl /);
  const [create, exportCsv, ingest, observed] = curlLines;

  const created = await paste(create);
  expect(created).toMatch(/^HTTP\/1.1 201 /);
  const { branchId } = JSON.parse(created.slice(created.indexOf('{')));
  expect(await paste(create)).toMatch(/^HTTP\/1.1 409 [^]*Branch with this name already exists/);

  const csv = await paste(exportCsv);
  expect(csv).toMatch(/^HTTP\/1.1 200 /);
  expect(csv).toContain(`my-first-branch,${branchId},`);

  const receipt = await paste(ingest);
  expect(receipt).toMatch(/^HTTP\/1.1 200 /);
  expect(receipt).toContain('{"accepted":1,"duplicates":0,"rejected":[],"samplingRate":1,"unknownShapeIds":[]}');
  expect(await paste(ingest)).toContain(
    '{"accepted":0,"duplicates":1,"rejected":[],"samplingRate":1,"unknownShapeIds":[]}',
  );

  expect(await paste(observed)).toMatch(/"eventName":"Product Viewed".*"count":1,/);
});

it('the printed link signs in as an admin, once', async () => {
  const port = new URL(server.origin).port;
  const [, token = ''] =
    new RegExp(`^http://localhost:${port}/sign-in#demo\\.([\\w-]{43})$`, 'm').exec(server.output()) ?? [];
  const body = JSON.stringify({ token, email: 'me@example.com', password: 'correct horse battery staple' });
  const url = `${server.origin}/workspaces/demo/sessions/v1`;
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const signIn = () => fetch(url, { method: 'POST', body, headers });
  const first = await signIn();
  expect([first.status, await first.json()]).toEqual([201, expect.objectContaining({ role: 'admin' })]);
  const again = await signIn();
  expect([again.status, await again.text()]).toEqual([410, expect.stringContaining('branchline user invite')]);
});

it('without a demo, the printed commands make a workspace, an admin, an account and a key that work', async () => {
  const other = join(folder, "somebody's other.db");
  const bare = await startProcess(other, ['--no-demo']);
  expect(bare.output()).not.toContain('curl');
  const commands = bare
    .output()
    .split('\n')
    .filter((line) => line.startsWith('npx branchline '));
  expect(commands).toHaveLength(4);
  const printed: string[] = [];
  for (const command of commands) printed.push((await shell('sh', ['-c', command], { cwd: REPOSITORY })).stdout);
  expect(printed.join('')).toMatch(
    new RegExp(`http://localhost:${new URL(bare.origin).port}/sign-in#shop\\.[\\w-]{43}\n`),
  );
  const [, credentials = ''] = /curl -u '([^']+)'/.exec(printed.join('')) ?? [];
  const { status } = await fetch(`${bare.origin}/workspaces/shop/branches/v1`, {
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
  });
  expect(status).toBe(200);
  expect(await bare.stop()).toBe(0);
  const again = await startProcess(other, ['--no-demo']);
  expect(again.output()).toBe(`Branchline listens on ${again.origin} (Ctrl-C stops it).`);
  expect(await again.stop()).toBe(0);
});

it('the secrets are printed once: not at the next start, and never in the log', async () => {
  const secrets = server.output().match(/(?<![\w-])[\w-]{43}(?![\w-])/g) ?? [];
  expect(new Set(secrets).size).toBe(3);
  expect(await server.stop()).toBe(0);
  const logged = server.log();
  server = await startProcess(database);
  expect(server.output()).not.toContain('curl');
  for (const secret of secrets) expect(logged + server.output() + server.log()).not.toContain(secret);
});
