import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import repository from '../package.json' with { type: 'json' };
import { describeUnless } from '../test/support/describe-unless.ts';
import { faults } from '../conformance/selftest/faults/index.ts';
import { type Service, listen } from '../conformance/selftest/service/listen.ts';
import { account, newWorld } from '../conformance/selftest/service/world.ts';
import contract from '../conformance/generated/contract.json' with { type: 'json' };
import { makePattern, readShown, typeCommands, removeBlankLines } from './testing/console.ts';
import { type Ended, install, packWorkspaces, runInstalled } from './testing/installed.ts';

const NAME = '@branchline/conformance';
const made = await packWorkspaces([NAME]);
afterAll(() => made[Symbol.asyncDispose]());

const { path: tarball = '', files = [] } = made.tarballs.find(({ name }) => name === NAME) ?? {};
const built = made.packages.find(({ name }) => name === NAME)?.folder ?? '';
const project = join(made.folder, 'project');
// Nothing but this one tarball is promised to be needed.
const missing = await install([tarball], project);

const HOME = join(project, 'node_modules', NAME);
const SERVER = fileURLToPath(new URL('../conformance/selftest/server.ts', import.meta.url));
const DRIVER = 'node node_modules/@branchline/conformance/examples/inspector-driver.js';

/** A page has a dozen commands, and some of them try everything. */
const TYPING = { timeout: 600_000 };

/** Runs the installed program, in a folder where nothing of this repository is. */
function runSuite(args: readonly string[], environment?: NodeJS.ProcessEnv): Promise<Ended> {
  return runInstalled(project, 'branchline-conformance', args, environment);
}

describe('the tarball', () => {
  it('holds what is needed, and nothing of the rest', () => {
    const folders = new Set(files.filter((path) => path.includes('/')).map((path) => path.split('/')[0]));
    expect([...folders].toSorted()).toEqual([
      'command-line',
      'derived',
      'docs',
      'engine',
      'examples',
      'generated',
      'library',
      'node_modules',
      'service',
    ]);
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'openapi.yaml', 'package.json']));
    const bundled = files
      .filter((path) => path.startsWith('node_modules/'))
      .map((path) => path.split('/', 3).join('/'));
    expect([...new Set(bundled)].toSorted()).toEqual([
      'node_modules/@branchline/command-line',
      'node_modules/@branchline/contract',
    ]);
    const sources = files.filter((path) => /(?<!\.d)\.ts$/.test(path));
    const tests = files.filter((path) => /\.test\.|(?:^|\/)(?:testing|selftest)\//.test(path));
    expect([...sources, ...tests]).toEqual([]);
  });

  it('has links that lead somewhere', () => {
    const broken = files
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        [...readFileSync(join(built, path), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)]
          .map(([, link = '']) => join(dirname(path), link))
          .filter((target) => !existsSync(join(built, target)))
          .map((target) => `${path}: ${target}`),
      );
    expect(broken).toEqual([]);
  });

  it('has the version that reports name', () => {
    expect(contract.info.version).toBe(repository.version);
  });
});

describeUnless(missing, 'installed elsewhere', () => {
  it('has no dependency but what it imports, and what comes in its tarball', () => {
    const { dependencies }: { dependencies: object } = JSON.parse(readFileSync(join(HOME, 'package.json'), 'utf8'));
    expect(Object.keys(dependencies)).toEqual([
      '@branchline/command-line',
      '@branchline/contract',
      '@eslint-community/regexpp',
      '@scalar/openapi-upgrader',
      '@seriousme/openapi-schema-validator',
      'ajv',
      'ajv-formats',
      'badge-maker',
      'cli-table3',
      'commander',
      'fast-check',
      'fast-xml-parser',
      'jsonc-parser',
      'p-queue',
      'yaml',
    ]);
  });

  it('says its version, and shows its cases', async () => {
    expect(await runSuite(['--version'])).toEqual({ exitCode: 0, stdout: `${repository.version}\n`, stderr: '' });
    const listed = await runSuite(['--list']);
    expect(listed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('required  conflicts/race') });
  });

  it.each([[], ['sink'], ['vectors']])('helps by its own name: %s', async (...command) => {
    const { exitCode, stdout } = await runSuite([...command, '--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`Usage: ${['branchline-conformance', ...command].join(' ')} [options]`);
    expect(stdout).toContain(`  $ ${['branchline-conformance', ...command].join(' ')} --`);
    expect(stdout).not.toContain('branchline conformance');
  });

  it.each([
    ['correct', 0],
    ['url-http', 1],
  ])('tries a service that runs elsewhere: %s', async (fault, exitCode) => {
    const server = spawn(process.execPath, [SERVER, '--fault', fault]);
    const [line]: string[] = await once(createInterface({ input: server.stdout }), 'line');
    const { baseUrl, accounts }: { baseUrl: string; accounts: { workspaceId: string; account: string }[] } = JSON.parse(
      line ?? '',
    );
    const kinds = ['json', 'junit', 'html', 'badge'].flatMap((kind) => ['--report', `${kind}=report.${kind}`]);
    const args = ['--base-url', baseUrl, '--workspace', accounts[0]?.workspaceId ?? '', '--rate', 'none', ...kinds];
    const ended = await runSuite(args, { BRANCHLINE_ACCOUNT: accounts[0]?.account ?? '' });
    server.kill();
    await once(server, 'exit');
    expect(ended, ended.stdout).toMatchObject({ exitCode });
    for (const kind of ['json', 'junit', 'html', 'badge']) {
      expect(readFileSync(join(project, `report.${kind}`), 'utf8')).not.toBe('');
    }
  });

  it('tries what schemas a library makes', async () => {
    const ended = await runSuite(['vectors', '--driver', DRIVER, '--only', 'scalars/']);
    expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('conforms in the cases with') });
  });

  it('says on an old Node which one it needs', async () => {
    const preload = join(made.folder, 'old-node.cjs');
    writeFileSync(
      preload,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`,
    );
    const ended = await runSuite(['--list'], { NODE_OPTIONS: `--require ${preload}` });
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toMatch(/^branchline-conformance needs Node 24 or newer, and this is 20\.20\.2\. .*\n$/);
  });
});

describeUnless(missing, 'the commands of the docs', () => {
  const world = newWorld([
    account('demo', 'ci-3f9a', 'hush-hush'),
    account('demo', 'ci-77b0', 'with:colons'),
    account('other', 'ci-d215', 'hush-too'),
  ]);
  let good: Service;
  let faulty: Service;
  beforeAll(async () => {
    const change = faults.find(({ name }) => name === 'accepts-underscore')?.change() ?? {};
    [good, faulty] = await Promise.all([listen({ world }), listen({ world, change })]);
  });
  afterAll(() => Promise.all([good.close(), faulty.close()]));

  it.each(['docs/conformance.md', 'docs/conformance-of-libraries.md', 'conformance/README.md'])(
    '%s: what is typed gives what is shown',
    TYPING,
    async (name) => {
      const page = readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
      const [waivers] = /(?<=^```yaml\n)waivers:.*?(?=^```)/ms.exec(page) ?? [];
      if (waivers !== undefined) writeFileSync(join(project, 'waivers.yaml'), waivers);
      const here = (text: string): string =>
        text.replaceAll('https://api.example', good.origin).replaceAll('https://faulty.example', faulty.origin);
      const shown = readShown(page);
      const outputs = await typeCommands(
        shown.map(({ command }) => here(command)),
        project,
      );
      expect(outputs).toHaveLength(shown.length);
      for (const [index, { command, output }] of shown.entries()) {
        expect(removeBlankLines(outputs[index] ?? ''), command).toMatch(makePattern(here(output)));
      }
    },
  );

  it('show the seed command as it is', () => {
    const page = readFileSync(new URL('../docs/conformance.md', import.meta.url), 'utf8');
    expect(page).toContain(readFileSync(new URL('../examples/seed-command.sh', import.meta.url), 'utf8'));
  });
});
