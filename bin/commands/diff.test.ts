import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const launcher = fileURLToPath(new URL('../branchline.js', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchline-diff-'));
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], { cwd: folder });
  await mkdir(join(folder, 'api/parts'), { recursive: true });
  await write('api/openapi.yaml', text(100));
  await write('api/parts/limit.yaml', 'type: integer\n');
  await git('init', '--initial-branch', 'main');
  await git('add', '.');
  await git('commit', '--message', 'First');
  await write('api/openapi.yaml', text(50));
  // It is read as the revision has it.
  await write('api/parts/limit.yaml', 'type: string\n');
});
afterAll(() => rm(folder, { recursive: true }));

const write = (path: string, content: string): Promise<void> => writeFile(join(folder, path), content);

const text = (most: number): string => `openapi: 3.1.0
info: { title: Test, version: '1' }
paths:
  /pets:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: ${most} } }
        - { name: page, in: query, schema: { $ref: parts/limit.yaml } }
      responses: { '200': { description: OK } }
`;

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function diff(args: readonly string[], cwd = folder): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [launcher, 'diff', ...args], { cwd }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

const PAIR = ['main:api/openapi.yaml', 'api/openapi.yaml'];

it('compares with a revision of git, and what that refers to', async () => {
  const { code, stdout, stderr } = await diff(PAIR);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout)
    .toBe(`api/openapi.yaml:7:62  error  request-parameter-max-decreased  GET /pets query limit: the maximum was 100 and is 50

1 change breaks clients.
1 more change breaks nothing; --all shows them.
`);
  const fromWithin = await diff(
    ['HEAD:./openapi.yaml', 'openapi.yaml', '--format', 'json', '--for', 'servers'],
    join(folder, 'api'),
  );
  expect(fromWithin.code).toBe(1);
  expect(JSON.parse(fromWithin.stdout)).toMatchObject({
    version: 1,
    old: 'HEAD:api/openapi.yaml',
    breaking: true,
    findings: [
      { rule: 'request-parameter-max-decreased', level: 'info', clients: 'error', servers: 'info', fails: false },
      { rule: 'request-parameter-type-generalized', level: 'error', clients: 'info', servers: 'error', fails: true },
    ],
  });
});

it('allows what is accepted, and says what allows nothing', async () => {
  expect(await diff([...PAIR, '--allow-all-to', 'allowed.yaml'])).toMatchObject({
    code: 0,
    stdout: 'allowed.yaml allows 1 change. Say in it why, and use it with --allow.\n',
  });
  const written = await readFile(join(folder, 'allowed.yaml'), 'utf8');
  await write(
    'allowed.yaml',
    `${written}  - { rule: endpoint-added, reason: No }\n  - { rule: api-tag-added, reason: Old, until: 2020-01-01 }\n`,
  );
  const ended = await diff([...PAIR, '--allow', 'allowed.yaml']);
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing breaks clients. 1 is allowed.') });
  expect(ended.stderr.split('\n')).toEqual([
    'Warning: The allowance of endpoint-added is about nothing that has changed: remove it.',
    'Warning: The allowance of api-tag-added expired on 2020-01-01, and allows nothing: renew it or remove it.',
    '',
  ]);
  const github = await diff([...PAIR, '--format', 'github']);
  expect(github.stdout).toContain(
    '::error file=api/openapi.yaml,line=7,col=62,title=request-parameter-max-decreased::GET /pets',
  );
  await write('api/empty.yaml', text(100).replace(/ {2}\/pets:[^]*/, '  {}\n'));
  const gone = await diff(['main:api/openapi.yaml', 'api/empty.yaml', '--format', 'github']);
  expect(gone.stdout).toContain(
    '::error file=api/empty.yaml,line=3,col=1,title=api-path-removed-without-deprecation::GET /pets: ',
  );
  const markdown = await diff([...PAIR, '--format', 'markdown']);
  expect(markdown.stdout).toContain('| ❌ error | GET /pets query limit | the maximum was 100 and is 50 |');
});

it.each([
  [
    ['nowhere:api/openapi.yaml', 'api/openapi.yaml'],
    "nowhere:api/openapi.yaml can't be read from git: there is no such revision; fetch it first, or name another.",
  ],
  [
    ['main:openapi.yaml', 'api/openapi.yaml'],
    "main:openapi.yaml can't be read from git: the revision has no such file.",
  ],
  [['old.yaml', 'api/openapi.yaml'], 'There is no file old.yaml.'],
  [['api/openapi.yaml'], 'Two contracts are compared: branchline diff main:openapi.yaml openapi.yaml'],
  [
    [...PAIR, '--allow', 'api/openapi.yaml'],
    "--allow: api/openapi.yaml is no file of accepted changes: it must have required property 'allowed'.",
  ],
])('%j can not be done', async (args, sentence) => {
  expect(await diff(args)).toEqual({ code: 2, stdout: '', stderr: `branchline: ${sentence}\n` });
});

it('says where there is no repository', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'branchline-diff-'));
  const ended = await diff(['main:openapi.yaml', '-'], elsewhere);
  expect(ended.stderr).toBe(
    "branchline: main:openapi.yaml can't be read from git: this folder is in no repository of git.\n",
  );
  await rm(elsewhere, { recursive: true });
});
