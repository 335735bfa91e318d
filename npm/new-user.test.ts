import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { listen } from '../conformance/selftest/service/listen.ts';
import { account, newWorld } from '../conformance/selftest/service/world.ts';
import { describeUnless } from '../test/support/describe-unless.ts';
import { selectTarballs } from './pack.ts';
import { makeBareEnvironment, install, runNpm, packWorkspaces, runInstalled } from './testing/installed.ts';
import { listPublished } from './workspaces.ts';

// What somebody does who has the tarballs and npm, and has never seen the repository.

const MINUTES = { timeout: 240_000 };

const made = await packWorkspaces(listPublished().map(({ manifest }) => manifest.name));
afterAll(() => made[Symbol.asyncDispose]());

const project = join(made.folder, 'project');
const missing = await install(selectTarballs('branchline', made.tarballs), project);

let running: ChildProcess | undefined;
afterEach(() => {
  running?.kill();
});

/** Starts a program and waits for the line in which it says its address. */
async function startProgram(command: string, args: readonly string[], cwd: string, env = {}): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    env: { ...makeBareEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running = child;
  for await (const line of createInterface({ input: child.stdout })) {
    const [address] = /(?<=istens? on |istening on )http:\S+/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`${command} ended without saying its address.`);
}

describeUnless(missing, 'from the tarballs', () => {
  it('a server is generated, installed and started, and answers', MINUTES, async () => {
    cpSync(
      fileURLToPath(new URL('../generator/targets/client/testing/shelf.yaml', import.meta.url)),
      join(project, 'x.yaml'),
    );
    const generated = await runInstalled(project, 'branchline', [
      'generate',
      'server',
      '--spec',
      'x.yaml',
      '--out',
      's',
    ]);
    expect(generated).toMatchObject({ exitCode: 0, stderr: '' });
    const folder = join(project, 's');
    expect(await runNpm(['install', '--prefer-offline'], folder)).toBeUndefined();
    const address = await startProgram(process.execPath, ['server/main.ts'], folder, { PORT: '0' });
    const answer = await fetch(`${address}/health`);
    expect({ status: answer.status, stub: answer.headers.get('branchline-stub') }).toMatchObject({
      status: 200,
      stub: expect.any(String),
    });
  });

  it('the server runs with its data in a folder that is said, console and all', MINUTES, async () => {
    const program = join(project, 'node_modules', '.bin', 'branchline');
    const address = await startProgram(program, ['serve', '--port', '0', '--database', 'data/branchline.db'], project);
    expect(await (await fetch(`${address}/readyz`)).json()).toMatchObject({});
    const page = await (await fetch(`${address}/sign-in`, { headers: { accept: 'text/html' } })).text();
    const [script] = /(?<=src=")[^"]+\.js(?=")/.exec(page) ?? [];
    expect((await fetch(new URL(script ?? '', address))).status).toBe(200);
    expect(await (await fetch(`${address}/docs`)).text()).toContain('swagger-ui-bundle.js');
    expect(existsSync(join(project, 'data', 'branchline.db'))).toBe(true);
  });

  it('a service is tried', MINUTES, async () => {
    const service = await listen({ world: newWorld([account('demo', 'ci-3f9a', 'hush')]) });
    const args = ['--base-url', service.origin, '--workspace', 'demo', '--rate', 'none', '--only', 'creation/url'];
    const ended = await runInstalled(project, 'branchline', ['conformance', ...args], {
      BRANCHLINE_ACCOUNT: 'ci-3f9a:hush',
    });
    await service.close();
    expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('conforms in the cases with') });
    // That what the suite refuses ends in a sentence, too, though it brings its own copy of what says so.
    const refused = await runInstalled(project, 'branchline', ['conformance', '--workspace', 'demo']);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toBe('branchline: --base-url is needed. --help shows how it is used.\n');
  });
});

describe.each([
  ['@branchline/generator', 'ts-morph', ['pg', 'swagger-ui-dist', 'kysely', 'preact']],
  ['@branchline/server', 'pg', ['ts-morph', 'typescript', 'openapi-typescript', 'preact', 'vite']],
])('%s', (name, needed, others) => {
  it('brings what it needs, and nothing of the others', MINUTES, async ({ skip }) => {
    const folder = join(made.folder, name.replace('/', '-'));
    const why = await install(selectTarballs(name, made.tarballs), folder);
    if (why !== undefined) skip(why);
    const has = (one: string): boolean => existsSync(join(folder, 'node_modules', one));
    expect(has(needed)).toBe(true);
    expect(others.filter(has)).toEqual([]);
  });
});

describeUnless(missing, 'with a configuration', () => {
  it(
    'a target of their own is generated, of the operations that are meant, and a breaking change is found',
    MINUTES,
    async () => {
      const page = readFileSync(new URL('../docs/generate.md', import.meta.url), 'utf8');
      const [, target = ''] = /^### A target of your own$[^]*?^```ts\n([^]*?)^```$/m.exec(page) ?? [];
      const folder = join(project, 'own');
      mkdirSync(folder);
      // As npm init makes it.
      writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
      writeFileSync(join(folder, 'branchline.config.ts'), target);
      const contract = (most: number): string => `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      operationId: listPets
      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: ${most} } }]
      responses: { '200': { description: OK } }
`;
      writeFileSync(join(folder, 'openapi.yaml'), contract(100));
      writeFileSync(join(folder, 'next.yaml'), contract(50));
      const run = (...args: string[]) => runInstalled(project, 'branchline', args);
      const generated = await run('generate', '--config', 'own/branchline.config.ts');
      expect(generated).toEqual({
        exitCode: 0,
        stdout: 'wrote own/docs/generated/operations.md\n1 of 1 files written.\n',
        stderr: '',
      });
      expect(readFileSync(join(folder, 'docs/generated/operations.md'), 'utf8')).toBe(
        '<!-- Generated by branchline generate from openapi.yaml; do not edit. -->\n- GET /pets: listPets\n',
      );
      const compared = await run('diff', 'own/openapi.yaml', 'own/next.yaml');
      expect(compared).toMatchObject({
        exitCode: 1,
        stderr: '',
        stdout: expect.stringContaining('request-parameter-max-decreased'),
      });
    },
  );
});
