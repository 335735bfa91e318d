import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { generateProcess } from './testing/generate-process.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchline-unusable-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A contract of which the body leads through objects that each have the next. */
function chain(length: number): object {
  const reference = (index: number): object => ({ $ref: `#/components/schemas/S${index}` });
  const schemas = Array.from({ length }, (_, index) => [
    `S${index}`,
    { type: 'object', properties: { next: reference(index + 1) } },
  ]);
  const content = { 'application/json': { schema: reference(0) } };
  return {
    openapi: '3.1.0',
    info: { title: 'Chain', version: '1' },
    paths: { '/a': { post: { requestBody: { content }, responses: { 200: { description: 'OK', content } } } } },
    components: { schemas: { ...Object.fromEntries(schemas), [`S${length}`]: {} } },
  };
}

test.each([
  { target: 'contract', sentence: /^branchline: chain\.json:1:1 {2}Values can't be checked by the schema [^\n]+\.\n$/ },
  {
    target: 'server',
    sentence: /^branchline: chain\.json:1:\d+ {2}Values can't be checked by this schema: [^\n]+\.\n/,
  },
])('what is too much to make $target of is refused in a sentence', async ({ target, sentence }) => {
  await writeFile(join(folder, 'chain.json'), JSON.stringify(chain(5_000)));
  const { code, stderr } = await generateProcess(folder, [target, '--spec', 'chain.json']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(sentence) });
});
