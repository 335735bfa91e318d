import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { generateProcess, type Outcome, startGenerating, waitUntilSaid } from '../testing/generate-process.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchline-config-'));
  await write('package.json', '{ "type": "module" }\n');
  await write('pets.yaml', PETS);
});
afterEach(() => rm(folder, { recursive: true }));

const write = (path: string, text: string): Promise<void> => writeFile(join(folder, path), text);
const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
const generate = (...args: string[]): Promise<Outcome> => generateProcess(folder, args);

const PETS = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    get: { operationId: listPets, responses: { '200': { description: OK } } }
    post: { operationId: addPet, responses: { '204': { description: OK } } }
`;

/** A configuration in TypeScript with a target of its own, which lists the operations. */
const config = (contracts: string, first = ''): string => `${first}
interface Made { operations: readonly { id: string }[] }
const list = {
  name: 'list',
  describe: 'a list of the operations',
  files: ({ operations }: Made) => [
    {
      path: 'docs/generated/list.md',
      kind: 'generated',
      text: '<!-- by branchline generate -->\\n' + operations.map(({ id }) => id + '\\n').join(''),
    },
  ],
};
export default { contracts: [${contracts}] };
`;

const TWO = `{ spec: 'pets.yaml', targets: [list] },
  { spec: 'pets.yaml', out: 'web', targets: [list, 'client'], exclude: { operations: ['add*'] } }`;

it('says what is generated, from what and to where', async () => {
  await write('branchline.config.ts', config(TWO));
  const first = await generate();
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toContain(
    'wrote docs/generated/list.md\nwrote web/docs/generated/list.md\nwrote web/client/generated/client.ts\n',
  );
  expect(await read('docs/generated/list.md')).toBe('<!-- by branchline generate -->\nlistPets\naddPet\n');
  expect(await read('web/docs/generated/list.md')).toBe('<!-- by branchline generate -->\nlistPets\n');
  expect(await read('web/client/generated/client.ts')).not.toContain('addPet');
  expect((await generate('list')).stdout).toBe('All 2 files are up to date.\n');

  await write('pets.yaml', PETS.replace('listPets', 'showPets'));
  const check = await generate('list', '--check');
  expect(check.code).toBe(1);
  expect(check.stdout).toContain('--- a/web/docs/generated/list.md\n');
  expect(check.stdout).toContain('run "branchline generate list" and commit the result.\n');
});

it('runs a target whose code has changed, though the contract has not', async () => {
  const target = (text: string): string =>
    config('{ targets: [list] }').replace('by branchline generate', `$& ${text}`);
  await write('openapi.yaml', PETS);
  await write('branchline.config.ts', target('once'));
  expect((await generate()).code).toBe(0);
  await write('branchline.config.ts', target('twice'));
  expect((await generate()).stdout).toBe('wrote docs/generated/list.md\n1 of 1 files written.\n');
  expect(await read('docs/generated/list.md')).toContain('by branchline generate twice');
});

it('gives way to what the command line says', async () => {
  await write('setup.config.ts', config(TWO));
  expect((await generate('client', '--config', 'setup.config.ts', '--out', 'elsewhere')).code).toBe(0);
  expect(await readdir(join(folder, 'elsewhere'))).toEqual(['client']);
  // Another contract, and none, are what they are without a configuration.
  await write('branchline.config.ts', 'throw new Error("not asked for");');
  expect((await generate('client', '--spec', 'pets.yaml', '--no-config')).stdout).toContain(
    'wrote client/generated/client.ts\n',
  );
});

const LIST = `export const list = {
  name: 'list',
  describe: 'a list',
  files: () => [{ path: 'docs/generated/list.md', kind: 'generated', text: '<!-- by branchline generate -->' }],
};
`;
const USING = (imported: string): string =>
  `import { defineConfig } from 'branchline';
import { list } from '${imported}';
export default defineConfig({ contracts: [{ spec: 'pets.yaml', targets: [list] }] });
`;
const MODULES = { 'branchline.config.ts': USING('./list.ts'), 'list.ts': LIST };

it.each<[string, object, Record<string, string>]>([
  ['a package of CommonJS, as "npm init" makes it', { type: 'commonjs' }, MODULES],
  ['a package that does not say', {}, MODULES],
  ['an .mts', { type: 'commonjs' }, { 'branchline.config.mts': USING('./list.mts'), 'list.mts': LIST }],
  ['an .mjs', { type: 'commonjs' }, { 'branchline.config.mjs': USING('./list.mjs'), 'list.mjs': LIST }],
  ['a .js of CommonJS', {}, { 'branchline.config.js': USING('./list.js'), 'list.js': LIST }],
  [
    'module.exports',
    { type: 'commonjs' },
    {
      'branchline.config.js': `const { defineConfig } = require('branchline');
const { list } = require('./list.js');
module.exports = defineConfig({ contracts: [{ spec: 'pets.yaml', targets: [list] }] });
`,
      'list.js': LIST.replace('export const list', 'module.exports.list'),
    },
  ],
  [
    'an import without its extension, and an enum',
    { type: 'module' },
    {
      'branchline.config.ts': USING('./list'),
      'list.ts': `enum Kind { Generated = 'generated' }\n${LIST.replace("'generated'", 'Kind.Generated')}`,
    },
  ],
])('is read from %s', async (_what, manifest, files) => {
  await write('package.json', JSON.stringify(manifest));
  for (const [path, text] of Object.entries(files)) await write(path, text);
  expect(await generate()).toMatchObject({
    code: 0,
    stderr: '',
    stdout: 'wrote docs/generated/list.md\n1 of 1 files written.\n',
  });
});

it('is watched with its contracts', async () => {
  await write('branchline.config.ts', config("{ spec: 'pets.yaml', targets: [list] }"));
  const child = startGenerating(folder, ['--watch']);
  try {
    await waitUntilSaid(child, 'Watching branchline.config.ts and pets.yaml; Ctrl+C ends it.');
    const said = waitUntilSaid(child, 'wrote docs/generated/list.md');
    await write(
      'branchline.config.ts',
      config("{ spec: 'pets.yaml', targets: [list], exclude: { operations: ['addPet'] } }"),
    );
    await said;
    expect(await read('docs/generated/list.md')).not.toContain('addPet');
    const fault = waitUntilSaid(child, 'contracts[0] has a field "exlude", which means nothing here.');
    await write('branchline.config.ts', config("{ spec: 'pets.yaml', targets: [list], exlude: {} }"));
    await fault;
    const again = waitUntilSaid(child, 'wrote docs/generated/list.md');
    await write('branchline.config.ts', config("{ spec: 'pets.yaml', targets: [list] }"));
    await again;
  } finally {
    child.kill();
  }
});

it.each<[string, string, string[], string]>([
  ['a fault', config(TWO, 'missing.field;'), [], "branchline.config.ts:1 can't be used: missing is not defined."],
  [
    'a mistake in its syntax',
    'export default {};\n\nconst = 1;',
    [],
    "branchline.config.ts:3 can't be used: this is not valid TypeScript: Unexpected token.",
  ],
  [
    'a package that is not there',
    "import 'nowhere';\n",
    [],
    'it imports "nowhere", which is not installed; run "npm install --save-dev nowhere", or correct the name.',
  ],
  ['a file that is not there', "import './nowhere.ts';", [], 'it imports "./nowhere.ts", and there is no such file.'],
  ['no default', 'export const a = 1;', [], 'it has no default export; write "export default defineConfig({ … })".'],
  [
    'a misspelled field',
    "export default { contract: [{ spec: 'pets.yaml' }] };",
    [],
    'branchline.config.ts: the configuration has a field "contract", which means nothing here.',
  ],
  ['no contract', '', ['--no-config'], 'openapi.yaml:1:1  There is no such file; name the contract by its path'],
  ['a wrong type', config('{ spec: 1 }'), [], 'branchline.config.ts: contracts[0].spec must be string.'],
  [
    'a wrong value',
    config("{ runtime: 'none' }"),
    [],
    'branchline.config.ts: contracts[0].runtime must be one of: copy, package.',
  ],
  [
    'no target',
    config("{ targets: ['clinet'] }"),
    [],
    'branchline.config.ts: contracts[0].targets[0]: there is no target "clinet"; the targets are: server,',
  ],
  [
    'no files',
    config("{ targets: [{ name: 'x' }] }"),
    [],
    'branchline.config.ts: contracts[0].targets[0] ("x") is a target without a function "files".',
  ],
  [
    'an empty list',
    config("{ spec: 'pets.yaml', targets: [{ name: 'x', files: () => [] }] }"),
    [],
    'branchline.config.ts: contracts[0].targets[0]: the target "x" makes no files.',
  ],
  [
    'a file outside',
    config(
      "{ spec: 'pets.yaml', targets: [{ name: 'x', files: () => [{ path: '../generated/a', text: '', kind: 'generated' }] }] }",
    ),
    [],
    'the target "x" writes to ../generated/a; a path is relative to the output folder, and stays within it.',
  ],
  [
    'a loose file',
    config(
      "{ spec: 'pets.yaml', targets: [{ name: 'x', files: () => [{ path: 'a.md', text: '', kind: 'generated' }] }] }",
    ),
    [],
    'the target "x" writes to a.md; generated files stand in a folder named "generated".',
  ],
  [
    'a target that fails',
    config("{ spec: 'pets.yaml', targets: [{ name: 'x', files: () => { throw new Error('Bad.'); } }] }"),
    [],
    'the target "x" has failed: Bad.',
  ],
  [
    'one target twice',
    config("{ spec: 'pets.yaml', targets: [list] }, { spec: 'pets.yaml', targets: [list] }"),
    [],
    'branchline.config.ts has the target "list" twice in this folder; give each "out" of its own.',
  ],
  ['another target', config(TWO), ['server'], 'branchline.config.ts has no target "server"; it has: list, client.'],
  [
    'one folder for two',
    config(TWO),
    ['--out', 'x'],
    '--out is one folder, and branchline.config.ts says 2 times what to generate;',
  ],
  ['no such file', config(TWO), ['--config', 'other.ts'], "other.ts can't be used: there is no such file."],
])('%s ends with 2 and a sentence', async (_what, text, args, sentence) => {
  await write('branchline.config.ts', text);
  const { code, stdout, stderr } = await generate(...args);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain('    at ');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

it('a named pipe is waited for neither as a configuration nor as a part of the contract', async () => {
  execFileSync('mkfifo', [join(folder, 'pipe.json'), join(folder, 'pipe.yaml')]);
  const { code, stderr } = await generate('--config', 'pipe.json');
  expect(stderr).toBe("branchline: pipe.json can't be used: It is a named pipe, not a regular file.\n");
  expect(code).toBe(2);
  await write('split.yaml', "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n  /a: { $ref: pipe.yaml }\n");
  const split = await generate('client', '--spec', 'split.yaml');
  expect(split.stderr).toContain('split.yaml:4:9  "pipe.yaml" leads to a file that can not be read');
  expect(split.code).toBe(2);
});
