import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Contract } from './contract.ts';
import { readHooks } from './hooks.ts';
import { loadContract } from './load.ts';
import { valueAt } from './pointers.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchline-bundle-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function load(files: Record<string, string>): Promise<Contract> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return loadContract(join(folder, 'api.yaml'), { strict: true });
}

const files = {
  'api.yaml': `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /pets: { $ref: paths/pets.yaml }
components:
  schemas:
    Pet: { $ref: schemas/Pet.yaml }
`,
  'paths/pets.yaml': `get:
  operationId: listPets
  parameters: [{ $ref: '../shared.json#/limit' }]
  responses:
    '200':
      description: They
      content:
        application/json:
          schema: { type: array, items: { $ref: ../schemas/Pet.yaml } }
    default: { $ref: '../shared.json#/problem' }
`,
  'schemas/Pet.yaml': `type: object
properties:
  name: { type: string }
  owner: { $ref: '#/$defs/Owner' }
  friend: { $ref: ./Pet.yaml }
  home: { $ref: ../api.yaml#/components/schemas/Pet }
$defs:
  Owner: { type: object, properties: { pets: { type: array, items: { $ref: Pet.yaml } } } }
`,
  'shared.json': JSON.stringify({
    limit: { name: 'limit', in: 'query', schema: { type: 'integer' } },
    problem: { description: 'A problem', content: { 'text/plain': {} } },
  }),
};

test('what stands in other files is taken in under its name, each part once', async () => {
  const { document, operations } = await load(files);
  expect(operations).toMatchObject([
    {
      id: 'listPets',
      parameters: [{ value: { name: 'limit' } }],
      responses: [{ status: '200' }, { status: 'default' }],
    },
  ]);
  expect(Object.keys(document.components?.schemas ?? {})).toEqual(['Pet', 'Owner']);
  const pet = '#/components/schemas/Pet';
  expect(valueAt(document, '/components/schemas/Pet/properties')).toMatchObject({
    owner: { $ref: '#/components/schemas/Owner' },
    friend: { $ref: pet },
    home: { $ref: pet },
  });
  expect(valueAt(document, '/components/schemas/Owner/properties/pets/items')).toEqual({ $ref: pet });
});

test.each([
  {
    what: 'a fault in another file',
    changed: { 'schemas/Pet.yaml': 'type: object\nproperties:\n  name: { type: text }\n' },
    problem: /schemas\/Pet\.yaml:3:11 {2}"type" must be one of/,
  },
  {
    what: 'a file that is not there',
    changed: {
      'paths/pets.yaml': '$ref: nowhere.yaml\n',
      'api.yaml': files['api.yaml'].replace('schemas/Pet', 'schemas/Cat'),
    },
    problem: /api\.yaml:7:\d+ {2}"schemas\/Cat\.yaml" leads to a file that can not be read/,
  },
  {
    what: 'a place that is not there',
    changed: { 'api.yaml': files['api.yaml'].replace('Pet.yaml', 'Pet.yaml#/Dog') },
    problem: /api\.yaml:7:12 {2}"schemas\/Pet\.yaml#\/Dog" leads nowhere/,
  },
])('$what is refused with its file and line', async ({ changed, problem }) => {
  await expect(load({ ...files, ...changed })).rejects.toThrow(problem);
});

test('a change in another file changes the hash', async () => {
  const { sha256 } = await load(files);
  const changed = await load({ ...files, 'shared.json': files['shared.json'].replace('A problem', 'What is wrong') });
  expect(changed.sha256).not.toBe(sha256);
});

test('a webhook and what a callback sends may stand in other files', async () => {
  const contract = await load({
    'api.yaml': `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    post:
      callbacks: { onEnd: { '{$request.body#/a url}': { $ref: 'hooks.yaml#/ended' } } }
      responses: { '200': { description: OK } }
webhooks:
  started: { $ref: 'hooks.yaml#/started' }
  ended: { $ref: 'hooks.yaml#/ended' }
`,
    'hooks.yaml': `started: { post: { responses: { '200': { description: OK } } } }
ended: { post: { requestBody: { content: { application/json: { schema: { $ref: '#/Ended' } } } }, responses: { '200': { description: OK } } } }
Ended: { type: string }
`,
  });
  const hooks = readHooks(contract);
  expect(hooks.map(({ id }) => id)).toEqual(['started', 'ended', 'postAOnEnd']);
  const ended = { 'application/json': { schema: { $ref: '#/components/schemas/Ended' } } };
  expect(hooks.map(({ requestBody }) => requestBody?.value.content)).toEqual([undefined, ended, ended]);
  expect(contract.locate(hooks[0]?.pointer ?? '').file).toMatch(/hooks\.yaml$/);
});
