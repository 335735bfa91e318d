import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { generateProcess, type Outcome } from './testing/generate-process.ts';

const SPEC = 'openapi: 3.1.0\ninfo: { title: Links, version: "1" }\npaths: {}\n';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchline-links-'));
  await mkdir(join(folder, 'elsewhere'));
  await writeFile(join(folder, 'openapi.yaml'), SPEC);
});
afterEach(() => rm(folder, { recursive: true }));

const generate = (): Promise<Outcome> => generateProcess(folder, ['server', '--out', 'out']);

/** Puts a link into the output folder. */
async function link(path: string, target: string): Promise<void> {
  await mkdir(join(folder, 'out', dirname(path)), { recursive: true });
  await symlink(join(folder, 'elsewhere', target), join(folder, 'out', path));
}

test.each([
  { what: 'a generated file', path: 'server/generated/types.ts', target: 'file' },
  { what: 'the scaffold, dangling', path: 'server/handlers.ts', target: 'missing' },
  { what: 'a file of the project, dangling', path: 'package.json', target: 'missing' },
  { what: 'the folder of the target', path: 'server', target: '.' },
  { what: 'a folder in it', path: 'server/generated/runtime', target: '.' },
])('nothing is written where a link stands in the place of $what', async ({ path, target }) => {
  await writeFile(join(folder, 'elsewhere/file'), 'kept');
  await link(path, target);
  const before = await readdir(join(folder, 'out'), { recursive: true });
  expect(await generate()).toEqual({
    code: 2,
    stdout: '',
    stderr: `branchline: ${join('out', path)} is a symbolic link, and nothing is generated through one; remove it, or generate elsewhere with --out.\n`,
  });
  expect(await readdir(join(folder, 'out'), { recursive: true })).toEqual(before);
  expect(await readdir(join(folder, 'elsewhere'))).toEqual(['file']);
  expect(await readFile(join(folder, 'elsewhere/file'), 'utf8')).toBe('kept');
});

test('nothing is removed through a link', async () => {
  expect(await generate()).toMatchObject({ code: 0 });
  await cp(join(folder, 'out/server/generated'), join(folder, 'elsewhere'), { recursive: true });
  await writeFile(join(folder, 'elsewhere/superfluous.ts'), 'kept');
  await rm(join(folder, 'out/server/generated'), { recursive: true });
  await link('server/generated', '.');
  expect(await generate()).toMatchObject({ code: 2, stderr: expect.stringContaining('is a symbolic link') });
  expect(await readFile(join(folder, 'elsewhere/superfluous.ts'), 'utf8')).toBe('kept');
});

test('the output folder itself may be a link, and so may a file that is not written', async () => {
  await symlink(join(folder, 'elsewhere'), join(folder, 'out'));
  await writeFile(join(folder, 'package.json'), '{}');
  await symlink(join(folder, 'package.json'), join(folder, 'elsewhere/package.json'));
  expect(await generate()).toMatchObject({ code: 0, stderr: '' });
  expect(await readdir(join(folder, 'elsewhere/server'))).toContain('generated');
});
