import { describe, expect, test } from 'vitest';
import { head, loadText, ok } from './testing/spec.ts';

function operation(id: string): string {
  return id === '' ? `{ ${ok} }` : `{ operationId: '${id}', ${ok} }`;
}

describe('a contract', () => {
  test('names its operations: by operationId, or by method and path', async () => {
    const ids = ['', 'meta/root', 'constructor', 'delete', 'GetPets', 'get-pets', '123', 'ÄÖ'];
    const paths = ids.map((id, n) => `  /a/${n}/b-c:\n    put: ${operation(id)}`).join('\n');
    const { operations } = await loadText(`${head}paths:\n${paths}`);
    expect(operations.map(({ id }) => id)).toEqual([
      'putA0BC',
      'metaRoot',
      'constructorOperation',
      'deleteOperation',
      'getPets',
      'getPets2',
      'operation123',
      'operation',
    ]);
  });

  test('resolves what stands on the level of an operation', async () => {
    const { operations, locate } = await loadText(`${head}security: [{ key: [] }]
paths:
  /a/{id}:
    parameters:
      - $ref: '#/components/parameters/Id'
      - { name: q, in: query, schema: { type: string } }
    post:
      parameters:
        - { name: q, in: query, schema: { type: integer } }
        - { name: Authorization, in: header, schema: {} }
      requestBody: { $ref: '#/components/requestBodies/B' }
      responses: { '200': { $ref: '#/components/responses/R' } }
  /b:
    get: { security: [], ${ok} }
components:
  parameters: { Id: { name: id, in: path, required: true, schema: {} } }
  requestBodies: { B: { content: {} } }
  responses: { R: { description: OK } }
  securitySchemes: { key: { type: apiKey, in: query, name: k } }
`);
    const [post, get] = operations;
    expect(post?.parameters.map(({ pointer }) => pointer)).toEqual([
      '/components/parameters/Id',
      '/paths/~1a~1{id}/post/parameters/0',
    ]);
    expect(post?.requestBody?.pointer).toBe('/components/requestBodies/B');
    expect(post?.responses).toEqual([
      { status: '200', pointer: '/components/responses/R', value: { description: 'OK' } },
    ]);
    expect(post?.security).toEqual([{ key: [] }]);
    expect(get?.security).toEqual([]);
    expect(locate('/paths/~1b/get/nothing/there')).toEqual({ line: 16, column: 5 });
  });

  test('of OpenAPI 3.0 is upgraded, a property called "example" left alone', async () => {
    const { document } = await loadText(`openapi: 3.0.3
info: { title: Test, version: '1' }
paths: {}
components:
  schemas:
    A:
      type: object
      nullable: true
      properties:
        example: { type: integer, minimum: 1, exclusiveMinimum: true, example: 2 }
`);
    expect(document.openapi).toMatch(/^3\.1/);
    expect(document.components?.schemas?.['A']).toEqual({
      type: ['object', 'null'],
      properties: { example: { type: 'integer', exclusiveMinimum: 1, examples: [2] } },
    });
  });

  test('has no body where HTTP gives it no meaning', async () => {
    const body = 'requestBody: { content: { text/plain: {} } }';
    const { operations } = await loadText(
      `${head}paths: { /a: { get: { ${body}, ${ok} }, head: { ${body}, ${ok} }, delete: { ${body}, ${ok} } } }`,
    );
    expect(operations.map(({ method, requestBody }) => [method, requestBody !== undefined])).toEqual([
      ['get', false],
      ['head', false],
      ['delete', true],
    ]);
  });

  test('may come with a byte order mark, CRLF, anchors and merge keys', async () => {
    const text = `\uFEFF${head}paths:\n  /a: &a\n    get: { ${ok} }\n  /b:\n    <<: *a\n    put: { ${ok} }\n`;
    const { operations, locate } = await loadText(text.replaceAll('\n', '\r\n'));
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(['get /a', 'get /b', 'put /b']);
    expect(locate('/paths/~1b/put')).toEqual({ line: 8, column: 5 });
  });

  test('loses the `$id`s of its schemas, by which no reference is meant', async () => {
    const { document } = await loadText(`${head}paths: {}
components:
  schemas:
    A: { $id: https://a.example/a, properties: { $id: { type: string } }, examples: [{ $id: x }] }
`);
    expect(document.components?.schemas?.['A']).toEqual({
      properties: { $id: { type: 'string' } },
      examples: [{ $id: 'x' }],
    });
  });

  test('is read from JSON as well', async () => {
    const { sha256, source } = await loadText(
      '{"openapi":"3.1.0","info":{"title":"a","version":"1"},"paths":{}}',
      'a.json',
    );
    expect(source).toBe('a.json');
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});
