import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { plan, targets } from '@branchline/generator';
import repository from '../package.json' with { type: 'json' };
import { describeUnless } from '../test/support/describe-unless.ts';
import { install, packWorkspaces, runInstalled } from './testing/installed.ts';
import { type Manifest, listPublished, REPOSITORY } from './workspaces.ts';

const workspaces = listPublished();
const made = await packWorkspaces(workspaces.map(({ manifest }) => manifest.name));
afterAll(() => made[Symbol.asyncDispose]());
const project = join(made.folder, 'project');
const missing = await install(
  made.tarballs.map(({ path }) => path),
  project,
);

const run = promisify(execFile);
const tool = (name: string): string => join(REPOSITORY, 'node_modules', '.bin', name);

function findFolder(name: string): string {
  return made.packages.find((one) => one.name === name)?.folder ?? '';
}

function readPacked(name: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(join(findFolder(name), 'package.json'), 'utf8'));
  return manifest;
}

it('the server brings its bundle, with the licences of what is in it', () => {
  const { files = [] } = made.tarballs.find(({ name }) => name === '@branchline/server') ?? {};
  expect(files).toEqual(expect.arrayContaining(['dist/bundle/main.js', 'dist/bundle/writer-thread.js']));
  expect(files).not.toContain('dist/sources.json');
  const licences = readFileSync(join(findFolder('@branchline/server'), 'dist', 'bundle', 'LICENSES.txt'), 'utf8');
  for (const bundled of ['fastify', 'kysely', 'ajv', 'pg'])
    expect(licences).toMatch(new RegExp(`^${bundled}/licen[cs]e`, 'im'));
});

describe.each(made.tarballs)('the package $name', ({ name, path, files }) => {
  it('holds JavaScript with its maps, declarations, and no test', () => {
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'index.js', 'index.js.map', 'index.d.ts']));
    // What is copied into a generated server, and what decides how Kotlin is laid out.
    const sources = files.filter((file) => /(?<!\.d)\.ts$/.test(file));
    expect(
      sources.filter(
        (file) => !/^(runtime|targets\/[a-z]+\/templates|templates)\/|^targets\/kotlin\/layout\.ts$/.test(file),
      ),
    ).toEqual([]);
    expect(files.filter((file) => /\.test\.|(^|\/)testing\//.test(file))).toEqual([]);
  });

  it('brings the source of each file in its map', () => {
    const maps = files.filter((file) => file.endsWith('.js.map') && !file.startsWith('node_modules/'));
    for (const map of maps) {
      const { sources, sourcesContent }: { sources: string[]; sourcesContent: string[] } = JSON.parse(
        readFileSync(join(findFolder(name), map), 'utf8'),
      );
      expect(sources).toEqual([expect.stringMatching(/^[\w-]+\.ts$/)]);
      expect(sourcesContent).toHaveLength(1);
    }
  });

  it('has the version of the repository, and says where it comes from', () => {
    const { version, dependencies } = readPacked(name);
    expect(version).toBe(repository.version);
    for (const [dependency, range] of Object.entries(dependencies)) {
      if (dependency.startsWith('@branchline/')) expect(range, dependency).toBe(version);
    }
    expect(readPacked(name)).toMatchObject({
      license: 'Apache-2.0',
      engines: { node: '>=24' },
      repository: { url: repository.repository.url, directory: expect.any(String) },
      publishConfig: { access: 'public', provenance: true },
    });
  });

  it('has links that lead somewhere', () => {
    const pages = files.filter((file) => file.endsWith('.md') && !file.startsWith('node_modules/'));
    const broken = pages.flatMap((page) =>
      [...readFileSync(join(findFolder(name), page), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)]
        .map(([, link = '']) => join(dirname(page), link))
        .filter((target) => !existsSync(join(findFolder(name), target)))
        .map((target) => `${page}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('brings the guides that its README leads to', () => {
    expect(readFileSync(join(findFolder(name), 'README.md'), 'utf8')).not.toMatch(/\]\(https:[^)]*\/docs\//);
  });

  it.concurrent('has nothing that publint finds', async ({ expect: expectHere }) => {
    const found = await run(tool('publint'), [path, '--strict']).catch((error: { stdout: string }) => error);
    expectHere(found.stdout).toContain('All good!');
  });

  it.concurrent('has the right types by arethetypeswrong', async ({ expect: expectHere }) => {
    const args = [path, '--profile', 'esm-only', '--no-emoji', '--no-color'];
    const found = await run(tool('attw'), args).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
    expectHere(found).toBe('');
  });
});

it('a package has one range, whichever workspace names it', () => {
  const manifests = [repository, ...workspaces.map(({ manifest }) => manifest)];
  const ranges = new Map<string, Set<string>>();
  for (const { dependencies = {}, devDependencies = {} } of manifests as Partial<Manifest>[]) {
    for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
      ranges.set(name, (ranges.get(name) ?? new Set()).add(range));
    }
  }
  expect([...ranges].filter(([, found]) => found.size > 1)).toEqual([]);
});

it('the command line tells of each command by an example, and of most by a guide', () => {
  const readme = readFileSync(join(findFolder('branchline'), 'README.md'), 'utf8');
  for (const command of ['generate', 'mock', 'diff', 'contract test', 'conformance', 'serve'])
    expect(readme).toContain(`$ npx branchline ${command} `);
  for (const guide of ['generate', 'mock', 'diff', 'contract-test', 'conformance', 'configuration'])
    expect(readme).toContain(`](docs/${guide}.md)`);
});

describeUnless(missing, 'installed in an empty folder', () => {
  const branchline = (args: readonly string[], environment?: NodeJS.ProcessEnv) =>
    runInstalled(project, 'branchline', args, environment);

  it('says its version, and its commands', async () => {
    expect(await branchline(['--version'])).toEqual({ exitCode: 0, stdout: `${repository.version}\n`, stderr: '' });
    const { stdout } = await branchline(['--help']);
    for (const command of [
      'serve',
      'workspace',
      'account',
      'key',
      'user',
      'generate',
      'diff',
      'android',
      'conformance',
    ]) {
      expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    }
  });

  it('says on an old Node which one it needs', async () => {
    const preload = join(made.folder, 'old-node.cjs');
    writeFileSync(
      preload,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`,
    );
    const ended = await branchline(['serve'], { NODE_OPTIONS: `--require ${preload}` });
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toMatch(
      /^Branchline needs Node 24 or newer, and this is 20\.20\.2\. .*npm install node@24.*\n$/,
    );
  });

  it('generates to the byte what the repository does', async () => {
    const spec = fileURLToPath(new URL('../generator/targets/client/testing/shelf.yaml', import.meta.url));
    const names = ['server', 'contract', 'client'];
    const { exitCode, stderr } = await branchline(['generate', ...names, '--spec', spec, '--out', 'shelf']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const wanted = targets.filter(({ name }) => names.includes(name));
    expect(await plan({ spec, out: join(project, 'shelf'), targets: wanted })).toMatchObject({ changes: [] });
  });

  it('says what the Android library is built from', async () => {
    const ended = await branchline(['android', 'package', '--version', '1.2.3']);
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toBe(
      'branchline: The Android library is built from its sources, which are in no npm package. ' +
        'Run this in a clone of the Branchline repository.\n',
    );
  });
});
