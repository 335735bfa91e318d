import type { Contract } from '../../contract.ts';
import { loadContract } from '../../load.ts';
import { diffContracts, type Finding } from '../contracts.ts';

const HEAD = `openapi: 3.1.0
info: { title: Test, version: '1' }
`;

/** What has changed from one text to another; those that do not say what they are are OpenAPI 3.1. */
export async function diffTexts(old: string, after: string, today = '2026-06-01'): Promise<Finding[]> {
  return diffContracts(await load(old), await load(after), { today: new Date(today) });
}

/** The rules of the findings that mean something to somebody, with the levels for clients and servers. */
export async function listRules(old: string, after: string): Promise<string[]> {
  const findings = await diffTexts(old, after);
  return findings.map(({ rule, clients, servers }) => `${rule} ${clients} ${servers}`).toSorted();
}

/** A contract with one operation that takes and answers what a schema describes. */
export function withSchema(schema: string, components = ''): string {
  const content = `content: { application/json: { schema: ${schema} } }`;
  return `paths:
  /things:
    post:
      requestBody: { required: true, ${content} }
      responses: { '200': { description: OK, ${content} } }
${components === '' ? '' : `components: { schemas: { ${components} } }\n`}`;
}

/** The rules for each of many pairs of schemas, as {@link listRules} has them: all are compared at once. */
export async function listRulesOfEach(pairs: readonly (readonly [old: string, after: string])[]): Promise<string[][]> {
  const write = (schemas: readonly string[]): string =>
    `paths:\n${schemas.map((schema, index) => withSchema(schema).replace(/^paths:\n {2}\/things/, `  /things/${index}`)).join('')}`;
  const findings = await diffTexts(write(pairs.map(([old]) => old)), write(pairs.map(([, after]) => after)));
  return pairs.map((_pair, index) =>
    findings
      .filter(({ operations }) => operations.includes(`POST /things/${index}`))
      .map(({ rule, clients, servers }) => `${rule} ${clients} ${servers}`)
      .toSorted(),
  );
}

/** A contract with one operation, in the YAML of its fields. */
export function withOperation(fields: string, path = '/things/{id}'): string {
  const parameter = '{ name: id, in: path, required: true, schema: { type: string } }';
  return `paths:
  ${path}:
    get:
      parameters: [${/\bparameters: \[(.*)\]$/m.exec(fields)?.[1] ?? parameter}]
${fields
  .split('\n')
  .filter((line) => !line.startsWith('parameters: '))
  .map((line) => `      ${line}`)
  .join('\n')}
`;
}

function load(text: string): Promise<Contract> {
  const whole = /^(openapi|swagger):/m.test(text) ? text : HEAD + text;
  return loadContract('api.yaml', { read: async () => Buffer.from(whole) });
}
