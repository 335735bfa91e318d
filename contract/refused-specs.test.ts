import { describe, expect, test } from 'vitest';
import { loadContract } from './load.ts';
import { SpecError } from './spec-error.ts';
import { head, loadText, ok } from './testing/spec.ts';

/** The problems as they are shown, without the folder. */
async function listProblems(text: string): Promise<string[]> {
  const error: unknown = await loadText(text).catch((reason: unknown) => reason);
  if (error instanceof SpecError) return error.message.replaceAll(/\S*\/(?=spec\.yaml)/g, '').split('\n');
  throw new Error('It was not refused.', { cause: error });
}

describe('a spec that can not be used is refused by line', () => {
  test.each([
    { what: 'a syntax error', text: 'openapi: 3.1.0\ninfo: {', want: ['spec.yaml:2:8  This is not valid YAML: '] },
    {
      what: 'a key twice',
      text: 'openapi: 3.1.0\nopenapi: 3.1.0',
      want: ['spec.yaml:2:1  This is not valid YAML: Map keys must be unique'],
    },
    { what: 'nothing', text: '', want: ['spec.yaml:1:1  The file is empty'] },
    {
      what: 'another kind of file',
      text: 'services:\n  web: {}',
      want: ['spec.yaml:1:1  This is not an OpenAPI document: the field "openapi"'],
    },
    {
      what: 'Swagger 2.0 without paths',
      text: 'info: {}\nswagger: "2.0"',
      want: [
        'spec.yaml:2:1  The field "paths" is missing or no object; a Swagger 2.0 document has its operations there.',
      ],
    },
    {
      what: 'an older Swagger',
      text: 'swagger: "1.2"\npaths: {}',
      want: ['spec.yaml:1:1  Swagger 1.2 is not supported; the generator reads 2.0, and OpenAPI 3.0 and 3.1.'],
    },
    { what: 'a future version', text: 'openapi: 4.0.0', want: ['spec.yaml:1:1  OpenAPI 4.0.0 is not supported'] },
    {
      what: 'a version that is a number',
      text: 'openapi: 3.1',
      want: ['spec.yaml:1:1  The field "openapi" must be a string'],
    },
    {
      what: 'a missing field',
      text: 'openapi: 3.1.0\ninfo: { title: Test }\npaths: {}',
      want: ['spec.yaml:2:1  "info" lacks the field "version".'],
    },
    {
      what: 'a misspelled field',
      text: `${head}paths:\n  /a:\n    get:\n      sumary: A\n      ${ok}`,
      want: ['spec.yaml:6:7  "get" has a field "sumary" that OpenAPI does not know here.'],
    },
    {
      what: 'a parameter in a wrong place',
      text: `${head}paths:\n  /a:\n    get:\n      parameters:\n        - name: x\n          in: body\n          schema: {}\n      ${ok}`,
      want: ['spec.yaml:8:11  "in: body" is from Swagger 2.0; describe the body under "requestBody".'],
    },
    {
      what: 'a schema that is none',
      text: `${head}paths: {}\ncomponents:\n  schemas:\n    A:\n      properties:\n        b: { type: text }`,
      want: ['spec.yaml:8:14  "type" must be one of: array, boolean, integer, null, number, object, string'],
    },
    {
      what: 'a pattern that is none',
      text: `${head}paths: {}\ncomponents:\n  schemas:\n    A: { pattern: '(' }`,
      want: ['spec.yaml:6:10  "(" is not a valid regular expression (ECMAScript).'],
    },
    {
      what: 'a reference to the web',
      text: `${head}paths:\n  /a:\n    $ref: https://example.com/other.yaml#/a`,
      want: ['spec.yaml:5:5  "https://example.com/other.yaml#/a" leads to another document; put everything into one'],
    },
    {
      what: 'a reference to a file that is not there',
      text: `${head}paths:\n  /a:\n    $ref: other.yaml#/a`,
      want: ['spec.yaml:5:5  "other.yaml#/a" leads to a file that can not be read; correct it, or add the file.'],
    },
    {
      what: 'a reference that leads nowhere',
      text: `${head}paths: {}\ncomponents:\n  schemas:\n    A: { $ref: '#/components/schemas/B' }`,
      want: ['spec.yaml:6:10  "#/components/schemas/B" leads nowhere'],
    },
    {
      what: 'references in a circle',
      text: `${head}paths: {}\ncomponents:\n  schemas:\n    A: { $ref: '#/components/schemas/B' }\n    B: { $ref: '#/components/schemas/A' }`,
      want: [
        'spec.yaml:6:10  "#/components/schemas/B" leads back to itself.',
        'spec.yaml:7:10  "#/components/schemas/A" leads back',
      ],
    },
    {
      what: 'an anchor twice',
      text: `${head}paths: {}\ncomponents:\n  schemas:\n    A: { $dynamicAnchor: node }\n    B: { $dynamicAnchor: node }`,
      want: ['spec.yaml:7:10  The anchor "node" is already that of "/components/schemas/A"; give each schema its own.'],
    },
    {
      what: 'patterns of too many counted repetitions',
      text: `${head}paths: {}\ncomponents:\n  schemas:\n    A: { pattern: '^[a-z]{100001}$' }\n    B: { pattern: '((a{100}){100}){11}' }\n    C: { patternProperties: { '(a{60000}|b{60000})': {} } }\n    D: { pattern: '^[a-z]{99999}|.{0,1000000000}|[{9999999}]$' }`,
      want: [
        'spec.yaml:6:10  The counted repetitions of "^[a-z]{100001}$" are more than 100,000 when',
        'spec.yaml:7:10  The counted repetitions',
        'spec.yaml:8:31  The counted repetitions',
      ],
    },
    {
      what: 'an "$id" twice, with anchors',
      text: `${head}paths: {}\ncomponents:\n  schemas:\n    A: { $id: 'http://a', $dynamicAnchor: node }\n    B: { $id: 'http://a', $dynamicAnchor: node }`,
      want: [
        'spec.yaml:7:10  The "$id" "http://a" is already that of "/components/schemas/A"; give each schema its own.',
      ],
    },
    {
      what: 'schemas that are made of themselves',
      text: `${head}paths: {}\ncomponents:\n  schemas:\n    A: { allOf: [{ $ref: '#/components/schemas/B' }] }\n    B: { oneOf: [{ type: object }, { $ref: '#/components/schemas/A' }] }\n    C: { allOf: [{ $ref: '#/components/schemas/A' }], properties: { c: { $ref: '#/components/schemas/C' } } }`,
      want: [
        'spec.yaml:6:5  This schema is made of itself (A → B → A)',
        'spec.yaml:7:5  This schema is made of itself (B → A → B)',
      ],
    },
    {
      what: 'an operationId twice',
      text: `${head}paths:\n  /a:\n    get:\n      operationId: x\n      ${ok}\n    put:\n      operationId: x\n      ${ok}`,
      want: ['spec.yaml:9:7  The operationId "x" is already used by GET /a; give each operation its own.'],
    },
    {
      what: 'two paths that are one',
      text: `${head}paths:\n  /a/{x}:\n    get:\n      parameters: [{ name: x, in: path, required: true, schema: {} }]\n      ${ok}\n  /a/{y}:\n    get:\n      parameters: [{ name: y, in: path, required: true, schema: {} }]\n      ${ok}`,
      want: [
        'spec.yaml:8:3  The path "/a/{y}" is the same as "/a/{x}" for GET; only the names of the parameters differ.',
      ],
    },
    {
      what: 'a path parameter that is not declared, and one that is nowhere',
      text: `${head}paths:\n  /a/{x}:\n    get:\n      parameters: [{ name: y, in: path, required: true, schema: {} }]\n      ${ok}`,
      want: [
        'spec.yaml:5:5  GET /a/{x} does not declare the path parameter "x"; add it to "parameters".',
        'spec.yaml:6:20  The path parameter "y" does not stand in the path "/a/{x}".',
      ],
    },
    {
      what: 'a parameter twice',
      text: `${head}paths:\n  /a:\n    get:\n      parameters: [{ name: x, in: query, schema: {} }, { name: x, in: query, schema: {} }]\n      ${ok}`,
      want: ['spec.yaml:6:56  The query parameter "x" is declared twice.'],
    },
    {
      what: 'a query in a path',
      text: `${head}paths:\n  /a?b=c:\n    get: { ${ok} }`,
      want: ['spec.yaml:4:3  The path "/a?b=c" holds "?"'],
    },
    {
      what: 'a brace too few',
      text: `${head}paths:\n  '/a/{b':\n    get: { ${ok} }`,
      want: ['spec.yaml:4:3  The path "/a/{b" has braces that do not'],
    },
    {
      what: 'a wildcard',
      text: `${head}paths:\n  /a/*:\n    get: { ${ok} }`,
      want: ['spec.yaml:4:3  The path "/a/*" holds "*"'],
    },
    {
      what: 'TRACE',
      text: `${head}paths:\n  /a:\n    trace: { ${ok} }`,
      want: ['spec.yaml:5:5  The method TRACE can not be served.'],
    },
    {
      what: 'a path with a fragment',
      text: `${head}paths:\n  '/a#b':\n    get: { ${ok} }`,
      want: ['spec.yaml:4:3  The path "/a#b" holds "#", which browsers and clients keep to themselves'],
    },
    {
      what: 'a path without a slash',
      text: `${head}paths:\n  a:\n    get: { ${ok} }`,
      want: ['spec.yaml:4:3  The path "a" must begin with "/".'],
    },
    {
      what: 'no response',
      text: `${head}paths:\n  /a:\n    get: { responses: {} }`,
      want: ['spec.yaml:5:12  "responses" is empty; describe at least one response, under its status ("200") or under'],
    },
    {
      what: 'a status that is none',
      text: `${head}paths:\n  /a:\n    get:\n      responses:\n        success: { description: OK }`,
      want: ['spec.yaml:7:9  "success" is no status; responses stand under three digits ("200"), a class ("2XX") or'],
    },
    {
      what: 'an operation that is empty',
      text: `${head}paths:\n  /a:\n    get:`,
      want: ['spec.yaml:5:5  "get" is empty; it must be an object (fields below it).'],
    },
    {
      what: 'a version without quotes',
      text: `openapi: 3.1.0\ninfo: { title: Test, version: 1.5 }\npaths: {}`,
      want: ['spec.yaml:2:22  "version" must be a string; put quotes around 1.5.'],
    },
    {
      what: 'anchors of another language',
      text: `${head}paths: {}\ncomponents:\n  schemas:\n    A: { pattern: '\\A[a-z]+\\Z' }`,
      want: ['spec.yaml:6:10  "\\A" is no anchor in ECMAScript but the letter "A"; write "^" and "$".'],
    },
    {
      what: 'several mistakes in one schema',
      text: `${head}paths: {}\ncomponents:\n  schemas:\n    A: { required: true, minLength: '1', properties: { a: { maximum: x } } }`,
      want: [
        'spec.yaml:6:10  "required" must be a list of names in a schema; to demand a property, name it in "required" of',
        'spec.yaml:6:26  "minLength" must be a whole number, without quotes',
        'spec.yaml:6:61  "maximum" must be a number, without quotes',
      ],
    },
    {
      what: 'several mistakes in 3.0, one within the other',
      text: `openapi: 3.0.3\ninfo: { version: '1' }\npaths:\n  /a:\n    get:\n      sumary: A\n      responses: { '200': {} }`,
      want: [
        'spec.yaml:2:1  "info" lacks the field "title".',
        'spec.yaml:6:7  "get" has a field "sumary" that OpenAPI does not know here.',
        'spec.yaml:7:20  "200" lacks the field "description".',
      ],
    },
    {
      what: 'a type of 3.1 in 3.0',
      text: `openapi: 3.0.3\ninfo: { title: Test, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n    A: { type: [string, 'null'] }`,
      want: ['spec.yaml:6:10  "type" must be a single type in OpenAPI 3.0; write "nullable: true" beside it for null'],
    },
    {
      what: 'a pattern that is none, in 3.0',
      text: `openapi: 3.0.3\ninfo: { title: Test, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n    A: { pattern: '(' }`,
      want: ['spec.yaml:6:10  "(" is not a valid regular expression (ECMAScript).'],
    },
    {
      what: 'a path parameter that is not required',
      text: `openapi: 3.0.3\ninfo: { title: Test, version: '1' }\npaths:\n  /a/{x}:\n    get:\n      parameters: [{ name: x, in: path, schema: {} }]\n      ${ok}`,
      want: ['spec.yaml:6:20  The path parameter "x" must have "required: true".'],
    },
    {
      what: 'a security scheme that lacks a field',
      text: `openapi: 3.0.3\ninfo: { title: Test, version: '1' }\npaths: {}\ncomponents: { securitySchemes: { key: { type: apiKey, in: header } } }`,
      want: ['spec.yaml:4:34  The security scheme "key" of type apiKey lacks the field "name".'],
    },
    {
      what: 'JSON that is not closed',
      text: '{\n  "openapi": "3.1.0"',
      want: ['spec.yaml:2:21  This is not valid JSON: before this place a bracket is not closed'],
    },
    { what: 'two documents', text: `${head}---\n${head}`, want: ['spec.yaml:3:1  A second YAML document begins here'] },
    {
      what: 'an unknown security scheme',
      text: `${head}security: [{ key: [] }]\npaths:\n  /a:\n    get: { ${ok} }`,
      want: ['spec.yaml:3:14  The security scheme "key" is not declared under components.securitySchemes.'],
    },
    {
      what: 'extensions that make no sense',
      text: `${head}paths:\n  /a:\n    put:\n      requestBody:\n        x-branchline-max-body-bytes: 1 MB\n        x-branchline-encodings: [br]\n        content: { a/b: { schema: { type: array, x-branchline-each: yes, items: {} } } }\n      ${ok}`,
      want: [
        'spec.yaml:7:9  "x-branchline-max-body-bytes" must be a whole number of bytes above 0.',
        'spec.yaml:8:9  "x-branchline-encodings" must be a list; "gzip" is the only encoding it may hold.',
        'spec.yaml:9:50  "x-branchline-each" needs "items" that are a reference',
      ],
    },
  ])('$what', async ({ text, want }) => {
    expect(await listProblems(text)).toEqual(want.map((line) => expect.stringContaining(line)));
  });

  test('a file that is not there', async () => {
    await expect(loadContract('nowhere.yaml')).rejects.toThrow(
      'nowhere.yaml:1:1  There is no such file; name the contract by its path (generate and contract test take it as --spec <file>).',
    );
  });

  test('a schema of which there are three times as many on each level', async () => {
    const levels = Array.from({ length: 12 }, (_, n) => {
      const below = `{ $ref: '#/components/schemas/S${n}' }`;
      return `    S${n + 1}: { allOf: [${below}, ${below}, ${below}] }`;
    });
    expect(await listProblems(`${head}paths: {}\ncomponents:\n  schemas:\n    S0: {}\n${levels.join('\n')}`)).toEqual([
      expect.stringMatching(/^spec\.yaml:14:5 {2}A value is checked here by more than 10,000 schemas/),
    ]);
  });

  test('very many aliases', async () => {
    const text = `a: &a b\nc:\n${'  - *a\n'.repeat(2_001)}`;
    expect(await listProblems(text)).toEqual([
      'spec.yaml:2003:5  It has more than 2,000 aliases; write what is repeated as components, and refer to it by "$ref".',
    ]);
  });

  test('keys twice, also in a list', async () => {
    expect(await listProblems(`${head}paths: {}\nx-a: [{ b: 1, c: { d: 1, 'd': 2 }, "b": 3 }]\n1: a\n1: b`)).toEqual([
      'spec.yaml:4:26  This is not valid YAML: Map keys must be unique.',
      'spec.yaml:4:36  This is not valid YAML: Map keys must be unique.',
      'spec.yaml:6:1  This is not valid YAML: Map keys must be unique.',
    ]);
  });

  test('an alias bomb', async () => {
    const levels = Array.from({ length: 12 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(9)}]`);
    expect(await listProblems(`a0: &a0 [x]\n${levels.join('\n')}`)).toEqual([expect.stringContaining('YAML aliases')]);
  });
});

test('many problems are told by the first ten and their number', async () => {
  const broken = Array.from({ length: 25 }, (_, index) => `    S${index}: { $ref: '#/components/schemas/Missing' }\n`);
  const lines = await listProblems(`${head}paths: {}\ncomponents:\n  schemas:\n${broken.join('')}`);
  expect(lines).toHaveLength(11);
  expect(lines[9]).toContain('spec.yaml:15:');
  expect(lines[10]).toBe('and 15 more; correct these first.');
});
