import { expect, test } from 'vitest';
import fc from 'fast-check';
import { contractFrom } from '../testing/served-contract.ts';
import { Models } from './models.ts';
import { createTypeNames } from './type-names.ts';
import { printHandlers } from '../targets/server/handlers-file.ts';

test.each([
  ['Station', 'Station'],
  ['payment_intent', 'PaymentIntent'],
  ['links-self', 'LinksSelf'],
  ['oauth2.token', 'Oauth2Token'],
  ['3d', 'Model3d'],
  ['Object', 'Object'],
  ['Größe', 'Größe'],
  ['***', 'Model'],
])('a schema named %s has the type %s', (wanted, name) => {
  expect(createTypeNames()(wanted)).toBe(name);
});

test('no two names are equal, and each can stand in code', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (wanted) => {
      const names = wanted.map(createTypeNames());
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^\p{ID_Start}\p{ID_Continue}*$/u);
    }),
  );
});

const json = (schema: object) => ({ 'application/json': { schema } });
const reply = (schema: object) => ({ description: 'It', content: json(schema) });
const station = { $ref: '#/components/schemas/station' };
const refused = { $ref: '#/components/responses/Refused' };

const document = {
  openapi: '3.1.0',
  info: { title: 'Stations', version: '1' },
  paths: {
    '/stations': {
      get: { operationId: 'list', responses: { 200: reply({ type: 'array', items: station }), 400: refused } },
      post: {
        operationId: 'create',
        requestBody: { required: true, content: json(station) },
        responses: { 201: reply(station), 400: refused, default: reply({ type: 'object' }) },
      },
      put: {
        operationId: 'upload',
        requestBody: {
          required: true,
          content: { 'multipart/form-data': { schema: { $ref: '#/components/schemas/Form' } } },
        },
        responses: { 204: { description: 'Done' } },
      },
    },
  },
  components: {
    responses: { Refused: reply({ type: 'object', properties: { why: { type: 'string' } } }) },
    schemas: {
      station: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
      },
      Station: { type: 'string' },
      Form: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } },
    },
  },
};

test('bodies are named by their schema, their shared response, or their operation', async () => {
  const contract = await contractFrom(document);
  const models = new Models(contract);
  const handlers = await printHandlers(contract, './runtime/index.ts', models);
  const used = [...handlers.matchAll(/body: (models\.\w+)/g)].map(([, name]) => name);
  expect(used).toEqual([
    'models.List200Body',
    'models.Refused',
    // What is required of a request is less than a reply has: the schema has two types.
    'models.StationRequest',
    'models.Station2',
    'models.Refused',
    'models.CreateDefaultBody',
    // Where the schema has a text, the handler gets a file.
    'models.UploadBody',
  ]);
  for (const name of new Set(used)) expect(models.print()).toContain(`export type ${name?.slice('models.'.length)} = `);
  expect(models.print()).toContain("export type Station = components['schemas']['Station'];");
});
