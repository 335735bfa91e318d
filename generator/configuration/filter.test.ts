import { describe, expect, it } from 'vitest';
import { loadContract, type Contract } from '@branchline/contract';
import type { Filter } from './config.ts';
import { filterContract } from './filter.ts';

const text = `openapi: 3.1.0
info: { title: Test, version: '1' }
tags: [{ name: pets }, { name: shops }]
security: [{ key: [] }]
paths:
  /pets:
    parameters: [{ $ref: '#/components/parameters/Page' }]
    get: { operationId: listPets, tags: [pets], responses: { '200': { $ref: '#/components/responses/Pets' } } }
    post: { operationId: addPet, tags: [pets], security: [{ login: [] }], responses: { '204': { description: OK } } }
  /shops/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } }]
    get: { operationId: readShop, tags: [shops], responses: { '200': { $ref: '#/components/responses/Shop' } } }
components:
  parameters: { Page: { name: page, in: query, schema: { $ref: '#/components/schemas/Number' } } }
  responses:
    Pets: { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
    Shop: { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Shop' } } } }
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    login: { type: http, scheme: basic }
  schemas:
    Id: { type: string }
    Number: { type: integer }
    Pet: { type: object, properties: { kind: { type: string } }, discriminator: { propertyName: kind } }
    Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { size: { $ref: '#/components/schemas/Size' } } }] }
    Size: { type: integer }
    Shop: { type: object, properties: { parent: { $ref: '#/components/schemas/Shop' }, any: { oneOf: [], discriminator: { propertyName: a, mapping: { b: Id } } } } }
    Unused: { type: string }
`.replace('oneOf: [], ', '');

const load = (): Promise<Contract> => loadContract('api.yaml', { read: async () => Buffer.from(text) });

async function filter(wanted: Filter) {
  const { document, operations, securitySchemes } = filterContract(await load(), wanted);
  const { schemas, parameters, responses } = document.components ?? {};
  return {
    operations: operations.map(({ id }) => id),
    paths: Object.entries(document.paths ?? {}).map(([path, item]) => [path, ...Object.keys(item)]),
    components: [schemas, parameters, responses].flatMap((section) => Object.keys(section ?? {})),
    schemes: [...securitySchemes.keys()],
    tags: document['tags'],
  };
}

describe('a filter leaves the operations that are meant, and what they use', () => {
  it('of a tag, without a method', async () => {
    expect(await filter({ include: { tags: ['pets'] }, exclude: { operations: ['add*'] } })).toEqual({
      operations: ['listPets'],
      paths: [['/pets', 'parameters', 'get']],
      components: ['Number', 'Pet', 'Cat', 'Size', 'Page', 'Pets'],
      schemes: ['key'],
      tags: [{ name: 'pets' }],
    });
  });

  it('of a path', async () => {
    expect(await filter({ include: { paths: ['/shops/*'] } })).toMatchObject({
      operations: ['readShop'],
      components: ['Id', 'Shop', 'Shop'],
    });
  });

  it('of all that is asked for together', async () => {
    const both = await filter({
      include: { tags: ['pets', 'shops'], operations: ['readShop', 'addPet'], paths: ['/pets'] },
    });
    expect(both).toMatchObject({ operations: ['addPet'], components: ['Number', 'Page'], schemes: ['login'] });
  });

  it('with another hash, so that what stands is made again', async () => {
    const contract = await load();
    expect(filterContract(contract, {})).toBe(contract);
    expect(filterContract(contract, { include: { tags: ['pets'] } }).sha256).not.toBe(contract.sha256);
  });

  it.each<[Filter, string]>([
    [{ include: { tags: ['pest'] } }, '"include.tags": "pest" fits no operation of api.yaml.'],
    [{ exclude: { paths: ['/shop'] } }, '"exclude.paths": "/shop" fits no operation of api.yaml.'],
    [{ exclude: { paths: ['*'] } }, '"include" and "exclude" leave no operation of api.yaml.'],
  ])('and refuses what leaves nothing: %j', async (wanted, sentence) => {
    await expect(filter(wanted)).rejects.toThrow(sentence);
  });
});
