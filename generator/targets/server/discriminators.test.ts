import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractFrom, serveDocument } from '../../testing/served-contract.ts';
import { deriveCases } from '../cases/case-file.ts';

function reference(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

function post(operationId: string, schema: object): object {
  return {
    post: {
      operationId,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { 200: { description: 'What was read' }, 400: { description: 'What was wrong' } },
    },
  };
}

const species = { type: 'string' };

const document = {
  openapi: '3.1.0',
  info: { title: 'Choices', version: '1' },
  paths: {
    '/mapped': post('mapped', {
      oneOf: [reference('Cat'), reference('Dog')],
      discriminator: { propertyName: 'species', mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' } },
    }),
    '/named': post('named', {
      anyOf: [reference('Cat'), reference('Dog'), { type: 'null' }],
      discriminator: { propertyName: 'species' },
    }),
    '/constants': post('constants', {
      oneOf: [reference('Circle'), reference('Square')],
      discriminator: { propertyName: 'kind' },
    }),
    '/parent': post('parent', reference('Vehicle')),
    '/undecided': post('undecided', {
      oneOf: [reference('Cat'), { type: 'object', required: ['shell'], properties: { shell: { type: 'boolean' } } }],
      discriminator: { propertyName: 'species' },
    }),
  },
  components: {
    schemas: {
      Cat: { type: 'object', required: ['species', 'lives'], properties: { species, lives: { type: 'integer' } } },
      Dog: { type: 'object', required: ['species'], properties: { species, good: { type: 'boolean' } } },
      Circle: {
        type: 'object',
        required: ['kind', 'radius'],
        properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
      },
      Square: {
        type: 'object',
        required: ['kind', 'side'],
        properties: { kind: { enum: ['square'] }, side: { type: 'number' } },
      },
      Vehicle: {
        type: 'object',
        required: ['type'],
        properties: { type: { type: 'string' }, wheels: { type: 'integer' } },
        discriminator: { propertyName: 'type', mapping: { bike: '#/components/schemas/Bike' } },
      },
      Bike: {
        allOf: [
          reference('Vehicle'),
          { type: 'object', required: ['gears'], properties: { gears: { type: 'integer' } } },
        ],
      },
      Car: { allOf: [reference('Vehicle'), { type: 'object', properties: { doors: { type: 'integer' } } }] },
      Taxi: {
        allOf: [reference('Car'), { type: 'object', required: ['fare'], properties: { fare: { type: 'number' } } }],
      },
    },
  },
};

let app: FastifyInstance;
beforeAll(async () => {
  app = await serveDocument(document);
});
afterAll(() => app.close());

describe.each([
  { path: 'mapped', payload: { species: 'cat', lives: 9 } },
  { path: 'mapped', payload: { species: 'dog' } },
  { path: 'mapped', payload: { species: 'cat' }, error: 'The body lacks the field "lives".' },
  {
    path: 'mapped',
    payload: { species: 'dog', good: 'very' },
    error: 'The field "good" of the body must be a boolean.',
  },
  { path: 'mapped', payload: { species: 'cow' }, error: 'The field "species" of the body must be one of: cat, dog.' },
  { path: 'mapped', payload: { lives: 9 }, error: 'The body lacks the field "species".' },
  { path: 'mapped', payload: [], error: 'The body must be an object.' },
  { path: 'named', payload: { species: 'Cat', lives: 9 } },
  { path: 'named', payload: null },
  {
    path: 'named',
    payload: { species: 'cat', lives: 9 },
    error: 'The field "species" of the body must be one of: Cat, Dog.',
  },
  { path: 'constants', payload: { kind: 'square', side: 1 } },
  { path: 'constants', payload: { kind: 'circle', side: 1 }, error: 'The body lacks the field "radius".' },
  { path: 'parent', payload: { type: 'bike', gears: 3 } },
  { path: 'parent', payload: { type: 'bike' }, error: 'The body lacks the field "gears".' },
  { path: 'parent', payload: { type: 'Taxi', doors: 4 }, error: 'The body lacks the field "fare".' },
  {
    path: 'parent',
    payload: { type: 'Car', wheels: 'x' },
    error: 'The field "wheels" of the body must be an integer.',
  },
  { path: 'parent', payload: { type: 'Vehicle', wheels: 1 } },
  {
    path: 'parent',
    payload: { type: 'Plane' },
    error: 'The field "type" of the body must be one of: bike, Car, Taxi, Vehicle.',
  },
  { path: 'undecided', payload: { species: 'anything', lives: 1 } },
])('$path: $payload', ({ path, payload, error }) => {
  test(error ?? 'is taken', async () => {
    const headers = { 'content-type': 'application/json' };
    const response = await app.inject({ method: 'POST', url: `/${path}`, headers, payload: JSON.stringify(payload) });
    const { statusCode } = response;
    if (error === undefined)
      expect({ statusCode, ...response.json() }).toEqual(expect.objectContaining({ statusCode: 200, body: payload }));
    else expect(response.json()).toEqual({ error, kind: 'body' });
  });
});

test('there are cases for an unknown value, a missing one, and each branch', async () => {
  const { cases } = deriveCases(await contractFrom(document));
  expect(cases.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'mapped/body/species/discriminator-unknown',
      'mapped/body/species/required',
      'mapped/body/oneOf-Dog',
      'mapped/body/oneOf-Dog/good/type-string',
      'mapped/body/lives/type-string',
      'mapped/body/discriminator-none',
    ]),
  );
});
