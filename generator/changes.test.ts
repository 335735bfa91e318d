import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plan } from './generate.ts';
import type { Target } from './target.ts';
import { clientTarget } from './targets/client/client-target.ts';
import { casesTarget } from './targets/cases/cases-target.ts';
import { serverTarget } from './targets/server/server-target.ts';
import { temporaryFolder } from './testing/generated-server.ts';

const hostile = fileURLToPath(new URL('testing/hostile.yaml', import.meta.url));
const targets: readonly Target[] = [serverTarget, casesTarget, clientTarget];
const folder = temporaryFolder();

let contract: string;
let before: Map<string, string>;
beforeAll(async () => {
  contract = await readFile(hostile, 'utf8');
  before = await generated(contract);
});
afterAll(async () => (await folder)[Symbol.asyncDispose]());

/** The files that are made of a contract, by path. */
async function generated(text: string): Promise<Map<string, string>> {
  const spec = join((await folder).path, 'openapi.yaml');
  await writeFile(spec, text);
  const { changes } = await plan({ spec, targets });
  return new Map(changes.flatMap((change) => (change.kind === 'write' ? [[change.path, change.text]] : [])));
}

const manifests = targets.map(({ name }) => `${name === 'contract' ? 'conformance' : name}/generated/manifest.json`);

test.each([
  { what: 'a comment', from: 'openapi: 3.1.0\n', to: 'openapi: 3.1.0 # yes\n' },
  { what: 'a description', from: 'What was read', to: 'What was reaD' },
  { what: 'an example', from: 'id;name', to: 'id;namE' },
  { what: 'a summary', from: 'Read things', to: 'Read thingS' },
])('one changed character of $what changes the files in which it stands, and the manifests', async ({ from, to }) => {
  expect(contract).toContain(from);
  const after = await generated(contract.replaceAll(from, to));
  const changed = [...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
  const holding = [...before].filter(([, text]) => text.includes(from)).map(([path]) => path);
  expect(changed.toSorted()).toEqual([...holding, ...manifests].toSorted());
});

test('the manifests alone hold the hash of the contract', () => {
  const hashes = [...before].filter(([, text]) => /\b[0-9a-f]{64}\b/.test(text)).map(([path]) => path);
  expect(hashes.toSorted()).toEqual(manifests.toSorted());
});
