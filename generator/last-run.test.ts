import { readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { plan, type Plan } from './generate.ts';
import { apply } from './output.ts';
import { sha256 } from './sha256.ts';
import type { Target } from './target.ts';
import { generateProcess } from './testing/generate-process.ts';
import { temporaryFolder } from './testing/generated-server.ts';

const CONTRACT = `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    get:
      operationId: listThings
      responses:
        '200': { description: All., content: { application/json: { schema: { $ref: 'thing.yaml' } } } }
`;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let runs: number;
beforeEach(async () => {
  folder = await temporaryFolder();
  runs = 0;
  vi.stubEnv('XDG_CACHE_HOME', join(folder.path, 'cache'));
  await write('openapi.yaml', CONTRACT);
  await write('thing.yaml', 'type: object\n');
  await generate();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await folder[Symbol.asyncDispose]();
});

const write = (path: string, text: string): Promise<void> => writeFile(join(folder.path, path), text);
const read = (path: string): Promise<string> => readFile(join(folder.path, path), 'utf8');

/** Counts how often it is asked. */
const target: Target = {
  name: 'counting',
  describe: 'two files',
  files: (contract) => {
    runs += 1;
    contract.warn('/info', 'Things could be better.');
    return [
      { path: 'made/generated/document.json', text: JSON.stringify(contract.document), kind: 'generated' },
      { path: 'made/generated/notice.txt', text: 'Made by branchline generate', kind: 'generated' },
      { path: 'made/yours.txt', text: 'yours', kind: 'scaffold' },
    ];
  },
};

async function generate(more: { strict?: boolean; runtime?: 'copy' } = {}): Promise<Plan> {
  const made = await plan({ spec: join(folder.path, 'openapi.yaml'), targets: [target], ...more });
  await apply(made.out, made.changes);
  return made;
}

const changed = ({ changes }: Plan): string[] => changes.map(({ kind, path }) => `${kind} ${path}`);

test('nothing is made again where nothing has changed, and the warnings are still given', async () => {
  expect(await generate()).toMatchObject({ changes: [], files: 3, warnings: [expect.stringContaining('better')] });
  expect(runs).toBe(1);
});

test.each([
  { what: 'the contract', path: 'openapi.yaml', text: CONTRACT.replace('Things', 'All things') },
  { what: 'a file that it refers to', path: 'thing.yaml', text: 'type: string\n' },
])('it is made again after a change of $what', async ({ path, text }) => {
  await write(path, text);
  expect(changed(await generate())).toEqual(['write made/generated/document.json']);
  expect(changed(await generate())).toEqual([]);
  expect(runs).toBe(2);
});

test('a file that the contract refers to and that is gone is told as ever', async () => {
  await rm(join(folder.path, 'thing.yaml'));
  await expect(generate()).rejects.toThrow('thing.yaml');
});

test('what was edited, is missing or left over is found', async () => {
  await write('made/generated/document.json', '{}');
  expect(changed(await generate())).toEqual(['write made/generated/document.json']);
  await rm(join(folder.path, 'made/generated/notice.txt'));
  expect(changed(await generate())).toEqual(['write made/generated/notice.txt']);
  await write('made/generated/old.txt', '');
  expect(changed(await generate())).toEqual(['remove made/generated/old.txt']);
});

test('the scaffold is yours: only where all of it is gone it is made again', async () => {
  await write('made/yours.txt', 'mine');
  expect(changed(await generate())).toEqual([]);
  await rm(join(folder.path, 'made/yours.txt'));
  expect(changed(await generate())).toEqual(['create made/yours.txt']);
});

test('other choices are another run', async () => {
  await generate({ runtime: 'copy' });
  expect(runs).toBe(2);
  await expect(generate({ strict: true })).rejects.toThrow('better');
});

/** The one file that is kept. */
async function keptFile(): Promise<string> {
  const [name = '', ...more] = await readdir(join(folder.path, 'cache/branchline/generate'));
  expect(more).toEqual([]);
  return `cache/branchline/generate/${name}`;
}

test('another version of the generator, or of what it stands on, makes it again', async () => {
  const path = await keptFile();
  const [, text = ''] = (await read(path)).split('\n');
  const run: { program: { paths: string[]; stamp: string } } = JSON.parse(text);
  expect(run.program.paths).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/openapi-typescript\/package\.json$/),
      expect.stringMatching(/generator\/generate\.ts$/),
      expect.stringMatching(/contract\/load\.ts$/),
      expect.stringMatching(/runtime\/route\.ts$/),
    ]),
  );
  run.program.stamp = sha256('of another');
  const other = JSON.stringify(run);
  await write(path, `${sha256(other)}\n${other}`);
  await generate();
  expect(runs).toBe(2);
});

test('what is kept and damaged is as if it were not there', async () => {
  const path = await keptFile();
  const text = await read(path);
  for (const damaged of [text.replace('"generated"', '"scaffold"'), text.slice(0, -20), '', 'null\nnull']) {
    await write(path, damaged);
    runs = 0;
    expect(changed(await generate())).toEqual([]);
    expect(runs).toBe(1);
  }
});

test('where nothing can be kept, it is made every time', async () => {
  await write('no-folder', '');
  vi.stubEnv('XDG_CACHE_HOME', join(folder.path, 'no-folder'));
  runs = 0;
  expect(changed(await generate())).toEqual([]);
  expect(changed(await generate())).toEqual([]);
  expect(runs).toBe(2);
});

test('what is kept is bounded: the oldest goes first', async () => {
  const old = join(folder.path, 'cache/branchline/generate/old');
  await writeFile(old, '');
  await truncate(old, 2 ** 27);
  await utimes(old, 1, 1);
  await generate({ runtime: 'copy' });
  expect(await readdir(join(folder.path, 'cache/branchline/generate'))).not.toContain('old');
});

test('two processes at once both do their work, and leave nothing unfinished', async () => {
  const both = await Promise.all([generateProcess(folder.path, ['client']), generateProcess(folder.path, ['client'])]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const { stdout } = await generateProcess(folder.path, ['client', '--check']);
  expect(stdout).toBe('The generated files are up to date.\n');
  const kept = await readdir(join(folder.path, 'cache/branchline/generate'));
  expect(kept.filter((name) => name.includes('.'))).toEqual([]);
});
