import { describe, expect, it } from 'vitest';
import { RULES } from './rules.ts';
import { diffTexts, listRules, withOperation } from './testing/versions.ts';

const ok = "responses: { '200': { description: OK } }";
const id = '{ name: id, in: path, required: true, schema: { type: string } }';
const parameter = (fields: string): string => withOperation(`parameters: [${id}, ${fields}]\n${ok}`);

describe('operations', () => {
  it('are the same where a path parameter has another name, or is declared for the whole path', async () => {
    const other = `paths:
  /things/{thingId}:
    parameters: [{ name: thingId, in: path, required: true, schema: { type: string } }]
    get: { ${ok} }
`;
    expect(await listRules(withOperation(ok), other)).toEqual([]);
  });

  it.each<[string, string, string[]]>([
    ['removed', ok, ['api-path-removed-without-deprecation error info', 'endpoint-added info error']],
    [
      'removed as was told',
      `deprecated: true\n${ok}`,
      ['api-path-removed-with-deprecation info info', 'endpoint-added info error'],
    ],
    [
      'removed too early',
      `deprecated: true\nx-sunset: '2026-07-01'\n${ok}`,
      ['api-path-removed-before-sunset error info', 'endpoint-added info error'],
    ],
  ])('%s', async (_what, fields, rules) => {
    expect(await listRules(withOperation(fields), withOperation(ok, '/other/{id}'))).toEqual(rules);
  });

  it.each<[string, string, string[]]>([
    [ok, `deprecated: true\n${ok}`, ['endpoint-deprecated info info']],
    [`deprecated: true\n${ok}`, ok, ['endpoint-reactivated info info']],
    [`deprecated: true\nx-sunset: '2027-01-01'\n${ok}`, `deprecated: true\n${ok}`, ['sunset-deleted error info']],
    [
      `deprecated: true\nx-sunset: '2027-01-01'\n${ok}`,
      `deprecated: true\nx-sunset: '2026-12-01'\n${ok}`,
      ['api-sunset-date-changed-too-small error info'],
    ],
    [
      ok,
      `deprecated: true\nx-sunset: soon\n${ok}`,
      ['api-deprecated-sunset-parse error info', 'endpoint-deprecated-with-sunset info info'],
    ],
    [
      `operationId: a\ntags: [x]\n${ok}`,
      `operationId: b\n${ok}`,
      ['api-operation-id-changed info info', 'api-tag-removed info info'],
    ],
  ])('%s → %s', async (old, after, rules) => {
    expect(await listRules(withOperation(old), withOperation(after))).toEqual(rules);
  });
});

describe('parameters', () => {
  it.each<[string, string, string[]]>([
    [
      '{ name: q, in: query, schema: { type: string } }',
      '{ name: q, in: query, required: true, schema: { type: string } }',
      ['request-parameter-became-required error info'],
    ],
    [
      '{ name: q, in: query, schema: { type: integer } }',
      '{ name: q, in: query, schema: { type: string } }',
      ['request-parameter-type-generalized info error'],
    ],
    [
      '{ name: q, in: query, schema: { type: array, items: {} } }',
      '{ name: q, in: query, explode: false, schema: { type: array, items: {} } }',
      ['request-parameter-serialization-changed error error'],
    ],
    [
      '{ name: q, in: query, schema: { enum: [a, b] } }',
      '{ name: q, in: query, schema: { enum: [a] } }',
      ['request-parameter-enum-value-removed error info'],
    ],
    ['{ name: X-A, in: header, schema: { type: string } }', '{ name: x-a, in: header, schema: { type: string } }', []],
    [
      '{ name: q, in: query, schema: { type: string } }',
      '{ name: r, in: query, required: true, schema: { type: string } }',
      ['new-required-request-parameter error info', 'request-parameter-removed warning info'],
    ],
    [
      '{ name: q, in: query, schema: { type: string } }',
      '{ name: q, in: query, deprecated: true, schema: { type: string } }',
      ['request-parameter-deprecated info info'],
    ],
  ])('%s → %s', async (old, after, rules) => {
    expect(await listRules(parameter(old), parameter(after))).toEqual(rules);
  });
});

const body = (fields: string): string =>
  `paths: { /a: { post: { ${fields === '' ? '' : `requestBody: { ${fields} }, `}${ok} } } }\n`;
const json = 'content: { application/json: { schema: { type: object } } }';

describe('bodies', () => {
  it.each<[string, string, string[]]>([
    ['', json, ['request-body-added-optional info warning']],
    ['', `required: true, ${json}`, ['request-body-added-required error info']],
    [json, '', ['request-body-removed error info']],
    [json, `required: true, ${json}`, ['request-body-became-required error info']],
    [
      json,
      'content: { text/plain: {} }',
      ['request-body-media-type-added info error', 'request-body-media-type-removed error info'],
    ],
    ['content: { application/json: {}, text/plain: {} }', 'content: { text/plain: {}, Application/JSON: {} }', []],
  ])('%s → %s', async (old, after, rules) => {
    expect(await listRules(body(old), body(after))).toEqual(rules);
  });
});

const answers = (fields: string): string => withOperation(`responses: { ${fields} }`);

describe('responses', () => {
  it.each<[string, string, string[]]>([
    [
      "'200': { description: OK }, '404': { description: No }",
      "'201': { description: OK }",
      [
        'response-non-success-status-removed info info',
        'response-success-status-added info info',
        'response-success-status-removed error info',
      ],
    ],
    [
      "'200': { description: OK, content: { text/plain: {} } }",
      '2XX: { description: OK, content: { text/plain: {} } }',
      ['response-success-status-added info info'],
    ],
    [
      "'200': { description: OK, content: { text/plain: {} } }",
      "'200': { description: OK, content: { text/csv: {} } }",
      ['response-media-type-added info info', 'response-media-type-removed error info'],
    ],
    [
      "'200': { description: OK, headers: { X-A: { required: true, schema: { type: string } } } }",
      "'200': { description: OK }",
      ['required-response-header-removed error info'],
    ],
    [
      "'200': { description: OK, headers: { X-A: { required: true, schema: { maximum: 5, type: integer } } } }",
      "'200': { description: OK, headers: { x-a: { schema: { maximum: 9, type: integer } } } }",
      ['response-header-became-optional error info', 'response-header-max-increased error info'],
    ],
  ])('%s → %s', async (old, after, rules) => {
    expect(await listRules(answers(old), answers(after))).toEqual(rules);
  });
});

const SCHEMES = `components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    login: { type: oauth2, flows: { implicit: { authorizationUrl: https://a.example, scopes: { read: r } } } }
`;
const secured = (security: string): string => `${withOperation(`security: ${security}\n${ok}`)}${SCHEMES}`;

describe('security', () => {
  it.each<[string, string, string[]]>([
    ['[]', '[key: []]', ['api-security-added info error', 'api-security-anonymous-access-removed error info']],
    ['[key: []]', '[]', ['api-security-anonymous-access-added info error']],
    ['[key: [], login: []]', '[login: [], key: []]', []],
    ['[{ key: [] }, { login: [] }]', '[{ key: [] }]', ['api-security-removed error info']],
    ['[login: []]', '[login: [read]]', ['api-security-scope-added error info']],
  ])('%s → %s', async (old, after, rules) => {
    expect(await listRules(secured(old), secured(after))).toEqual(rules);
  });

  it('schemes themselves', async () => {
    const other = secured('[]')
      .replace('X-Key', 'X-Other')
      .replace('{ read: r }', '{ write: w }')
      .replace('a.example', 'b.example');
    expect(await listRules(secured('[]'), other)).toEqual([
      'api-security-component-api-key-name-changed error error',
      'api-security-component-oauth-scope-added info info',
      'api-security-component-oauth-scope-removed info info',
      'api-security-component-oauth-url-changed warning warning',
    ]);
  });
});

it('webhooks', async () => {
  const hook = (name: string): string => `paths: {}\nwebhooks: { ${name}: { post: { ${ok} } } }\n`;
  expect(await listRules(hook('a'), hook('b'))).toEqual(['webhook-added info info', 'webhook-removed error info']);
});

it('every finding has a rule that is listed', async () => {
  const findings = await diffTexts(parameter('{ name: q, in: query, schema: { type: string } }'), 'paths: {}');
  expect(findings.map(({ rule }) => RULES.has(rule))).toEqual([true]);
});
