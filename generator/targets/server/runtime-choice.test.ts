import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { plan } from '../../generate.ts';
import { apply } from '../../output.ts';
import type { RuntimeChoice } from '../../target.ts';
import { serverTarget } from './server-target.ts';
import { temporaryFolder } from '../../testing/generated-server.ts';

const spec = fileURLToPath(new URL('../../testing/hostile.yaml', import.meta.url));
const runtime = fileURLToPath(new URL('../../../runtime/', import.meta.url));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

const read = (path: string): Promise<string> => readFile(join(folder.path, path), 'utf8');
const dependencies = async (): Promise<string[]> => Object.keys(JSON.parse(await read('package.json')).dependencies);

/** Generates, and gives what was changed: `write path` or `remove path`. */
async function generate(choice?: RuntimeChoice): Promise<string[]> {
  const { changes } = await plan({ spec, out: folder.path, targets: [serverTarget], runtime: choice });
  await apply(folder.path, changes);
  return changes.map(({ kind, path }) => `${kind} ${path}`);
}

test('by default the sources of the runtime are copied, without its tests', async () => {
  await generate();
  const sources = (await readdir(runtime)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  expect((await readdir(join(folder.path, 'server/generated/runtime'))).toSorted()).toEqual(sources.toSorted());
  expect(await read('server/generated/wiring.ts')).toContain(" from './runtime/index.ts';");
  expect(await dependencies()).toEqual(['@fastify/busboy', 'ajv', 'ajv-formats', 'fastify', 'fastify-openapi-glue']);
});

test('the package is a dependency in place of what it stands on', async () => {
  await generate('package');
  expect(await readdir(join(folder.path, 'server/generated'))).not.toContain('runtime');
  expect(await read('server/generated/wiring.ts')).toContain(" from '@branchline/runtime';");
  expect(await dependencies()).toEqual(['@branchline/runtime', 'fastify']);
});

test('a choice stays until another is made', async () => {
  await generate('package');
  expect(await generate()).toEqual([]);
  expect(await generate('copy')).toContain('write server/generated/runtime/index.ts');
  expect(await generate()).toEqual([]);
  expect(await generate('package')).toContain('remove server/generated/runtime/index.ts');
  expect(await generate()).toEqual([]);
});
