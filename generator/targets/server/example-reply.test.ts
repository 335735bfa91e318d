import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '@branchline/contract';
import { temporaryFolder } from '../../testing/generated-server.ts';
import { contractFrom } from '../../testing/served-contract.ts';
import { makeExampleReply } from './example-reply.ts';

test.each([
  { what: 'as it is written', media: { schema: { type: 'object' }, example: { a: 1 } }, body: { a: 1 } },
  { what: 'JSON written as a text', media: { schema: { type: 'object' }, example: '{"a":1}' }, body: { a: 1 } },
  { what: 'a text that only looks like JSON', media: { schema: { type: 'string' }, example: '7' }, body: '7' },
  {
    what: 'sampled where the text is no JSON',
    media: { schema: { type: 'object', properties: { a: { type: 'string' } } }, example: '{…}' },
    body: { a: 'string' },
  },
  {
    what: 'sampled by its pattern',
    media: { schema: { type: 'string', pattern: '^SM[0-9]{4}$' } },
    body: expect.stringMatching(/^SM[0-9]{4}$/),
  },
  {
    what: 'made of the schema where the one that is written does not fit it',
    media: { schema: { type: 'object', required: ['a'], properties: { a: { enum: ['x'] } } }, example: { a: 7 } },
    body: { a: 'x' },
  },
  {
    what: 'repaired where a sampler would break a bound',
    media: { schema: { type: 'array', items: { type: 'integer', minimum: 10, multipleOf: 7 }, minItems: 2 } },
    body: [14, 14],
  },
  {
    what: 'without what only requests hold',
    media: { schema: { type: 'object', properties: { a: { const: 1 }, b: { const: 2, writeOnly: true } } } },
    body: { a: 1 },
  },
  { what: 'none, as there is no content', media: undefined, body: undefined },
])('an example is $what', async ({ media, body }) => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'openapi.json');
  const content = media && { content: { 'application/json': media } };
  const paths = { '/a': { get: { operationId: 'a', responses: { '200': { description: 'OK', ...content } } } } };
  await writeFile(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths }));
  const contract = await loadContract(file);
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('The contract has no operation.');
  expect(makeExampleReply(contract, operation)).toEqual({ status: 200, headers: { 'branchline-stub': 'a' }, body });
});

test('an example that does not fit its schema is warned of by line, and one that nothing can be made of is none', async () => {
  const contract = await contractFrom(`openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    get:
      operationId: a
      responses:
        '200':
          description: OK
          content:
            application/json:
              schema: { type: string, not: { type: string } }
              example: text
`);
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('The contract has no operation.');
  expect(makeExampleReply(contract, operation)).toBeUndefined();
  expect(contract.warnings).toEqual([
    { position: { line: 13, column: 15 }, sentence: expect.stringContaining('does not fit its own schema') },
  ]);
});

test.each([
  { what: 'as it is written', header: { schema: { type: 'string' }, example: 'Zoë' }, sent: 'Zoë', warned: 0 },
  { what: 'made of the schema', header: { schema: { type: 'string' }, example: 'Zoë Łukasz' }, sent: 'string' },
  { what: 'made without the example in it', header: { schema: { type: 'string', example: 'a\nb' } }, sent: 'string' },
  { what: 'another that is listed', header: { schema: { enum: ['Łódź', 'Köln'] } }, sent: 'Köln' },
  {
    what: 'an address in ASCII',
    header: { schema: { type: 'string' }, example: 'https://a.example/żółw?a=%20' },
    sent: 'https://a.example/%C5%BC%C3%B3%C5%82w?a=%20',
  },
  {
    what: 'a list that fits',
    header: { schema: { type: 'array', items: { type: 'integer' }, minItems: 2 } },
    sent: [0, 0],
    warned: 0,
  },
  {
    what: 'JSON where it is written so',
    header: { content: { 'application/json': { schema: { type: 'object' }, example: { city: 'Łódź' } } } },
    sent: String.raw`{"city":"\u0141\u00f3d\u017a"}`,
    warned: 0,
  },
  { what: 'none where none can be sent', header: { schema: { const: 'żółw' } }, sent: undefined },
])('the value of a header is $what', async ({ header, sent, warned = 1 }) => {
  const responses = { '200': { description: 'OK', headers: { 'X-A': { required: true, ...header } } } };
  const paths = { '/a': { get: { operationId: 'a', responses } } };
  const contract = await contractFrom(JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths }));
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('The contract has no operation.');
  for (const _ of [1, 2]) {
    const reply = makeExampleReply(contract, operation);
    expect(reply?.headers['X-A']).toEqual(sent);
    expect(reply === undefined).toBe(sent === undefined);
  }
  expect(contract.warnings).toHaveLength(warned);
});

test('nothing is made of a schema that nothing fits', async () => {
  const content = { 'application/json': { schema: false } };
  const paths = { '/a': { get: { operationId: 'a', responses: { '200': { description: 'OK', content } } } } };
  const contract = await contractFrom(JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths }));
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('The contract has no operation.');
  expect(makeExampleReply(contract, operation)).toBeUndefined();
});

test.each([
  [undefined, 'Cat'],
  [{ feline: '#/components/schemas/Cat', hound: 'Dog' }, 'feline'],
])(
  'of a schema that others are made of, chosen by a discriminator with mapping %j, one of these is the example',
  async (mapping, kind) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'openapi.json');
    const made = (property: string): object => ({
      allOf: [
        { $ref: '#/components/schemas/Pet' },
        { type: 'object', required: [property], properties: { [property]: { type: 'boolean' } } },
      ],
    });
    const Pet = {
      type: 'object',
      discriminator: { propertyName: 'kind', ...(mapping && { mapping }) },
      required: ['kind'],
      properties: { kind: { type: 'string' }, friend: { $ref: '#/components/schemas/Pet' } },
    };
    const schema = { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/Pet' } };
    const responses = { '200': { description: 'OK', content: { 'application/json': { schema } } } };
    const document = {
      openapi: '3.0.3',
      info: { title: 'T', version: '1' },
      paths: { '/a': { get: { operationId: 'a', responses } } },
      components: { schemas: { Pet, Cat: made('purrs'), Dog: made('barks') } },
    };
    await writeFile(file, JSON.stringify(document));
    const contract = await loadContract(file);
    const [operation] = contract.operations;
    if (operation === undefined) throw new Error('The contract has no operation.');
    expect(makeExampleReply(contract, operation)?.body).toEqual([expect.objectContaining({ kind, purrs: true })]);
  },
);
