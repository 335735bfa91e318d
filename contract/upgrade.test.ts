import { expect, test } from 'vitest';
import { isObject, valueAt } from './pointers.ts';
import { loadContract } from './load.ts';

const list = { type: 'array', items: { type: 'integer' } };

const SWAGGER = {
  swagger: '2.0',
  info: { title: 'T', version: '1' },
  paths: {
    '/pets': {
      post: {
        operationId: 'addPet',
        consumes: ['application/x-www-form-urlencoded'],
        parameters: [{ name: 'name', in: 'formData', type: 'string' }],
        responses: {
          200: {
            description: 'OK',
            headers: { 'X-List': { ...list, collectionFormat: 'csv' }, collectionFormat: { type: 'string' } },
            schema: { $ref: '#/definitions/Pet' },
          },
        },
      },
    },
  },
  definitions: {
    Pet: {
      type: 'object',
      discriminator: 'kind',
      required: ['kind'],
      properties: { kind: { type: 'string' }, discriminator: { type: 'string', default: 'discriminator' } },
      example: { kind: 'Cat', discriminator: 'a' },
    },
    Cat: { allOf: [{ $ref: '#/definitions/Pet' }] },
  },
};

test('what Swagger alone has is written as OpenAPI has it, and nothing of it is a fault', async () => {
  const read = async (): Promise<Buffer> => Buffer.from(JSON.stringify(SWAGGER));
  const { document, warnings } = await loadContract('swagger.json', { strict: true, read });
  expect(warnings).toEqual([]);
  expect(valueAt(document, '/components/schemas/Pet')).toMatchObject({
    discriminator: { propertyName: 'kind' },
    properties: { discriminator: { default: 'discriminator' } },
  });
  const headers = valueAt(document, '/paths/~1pets/post/responses/200/headers');
  expect(isObject(headers) && Object.keys(headers).toSorted()).toEqual(['X-List', 'collectionFormat']);
  expect(headers).toMatchObject({ 'X-List': { schema: list } });
  expect(valueAt(headers, '/X-List')).not.toHaveProperty('collectionFormat');
});
