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

test('the fields of a form keep what Swagger says of them', async () => {
  const field = (name: string, more: object) => ({ name, in: 'formData', ...more });
  const parameters = [
    field('max', { type: 'integer', maximum: 10, exclusiveMaximum: true, required: true }),
    field('code', { type: 'string', pattern: '^a', minLength: 1, enum: ['a', 'ab'], description: 'A code.' }),
    field('tags', { type: 'array', items: { type: 'string', enum: ['x'] }, maxItems: 2, collectionFormat: 'pipes' }),
    field('ids', { type: 'array', items: { type: 'integer' }, collectionFormat: 'multi' }),
    field('names', { type: 'array', items: { type: 'string' } }),
  ];
  const consumes = ['application/x-www-form-urlencoded'];
  const post = { operationId: 'add', consumes, parameters, responses: { 204: { description: 'OK' } } };
  const upload = {
    ...post,
    operationId: 'send',
    consumes: ['multipart/form-data'],
    parameters: [field('file', { type: 'file' })],
  };
  const text = JSON.stringify({ ...SWAGGER, paths: { '/a': { post }, '/b': { post: upload } } });
  const { document } = await loadContract('swagger.json', { strict: true, read: async () => Buffer.from(text) });
  const body = valueAt(document, '/paths/~1a/post/requestBody');
  expect(body).toMatchObject({ required: true });
  expect(valueAt(body, '/content/application~1x-www-form-urlencoded')).toEqual({
    schema: {
      type: 'object',
      required: ['max'],
      properties: {
        max: { type: 'integer', exclusiveMaximum: 10 },
        code: { type: 'string', pattern: '^a', minLength: 1, enum: ['a', 'ab'], description: 'A code.' },
        tags: { type: 'array', items: { type: 'string', enum: ['x'] }, maxItems: 2 },
        ids: { type: 'array', items: { type: 'integer' } },
        names: { type: 'array', items: { type: 'string' } },
      },
    },
    encoding: { tags: { style: 'pipeDelimited', explode: false }, names: { style: 'form', explode: false } },
  });
  const file = valueAt(document, '/paths/~1b/post/requestBody/content/multipart~1form-data/schema/properties/file');
  expect(file).toMatchObject({ type: 'string' });
});
