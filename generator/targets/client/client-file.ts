import type { Contract, Operation } from '@branchline/contract';
import { description, title } from '../../typescript/operation-comments.ts';
import { commentText, propertyName } from '../../typescript/code.ts';
import { STATUS_TYPES } from '../../typescript/status-types.ts';
import { clientPlan, schemePlan } from './client-plan.ts';
import { answerName, answerTypes, asksForNothing, requestName, requestType } from './call-types.ts';

/** The client itself: the types of requests and answers, and a function for each operation. */
export function clientFile(contract: Contract): string {
  const { operations } = contract;
  const parts = [
    ...STATUS_TYPES.map(([name, type, doc]) => `/** ${doc} */\ntype ${name} = ${type};`),
    ...operations.flatMap((operation) => [request(contract, operation), answer(contract, operation)]),
    authInterface(contract),
    clientInterface(operations),
    ...creation(contract),
  ];
  const text = used(parts).join('\n\n');
  return `${imports(text)}\n\n${EXPORTS}\n\n${text}\n`;
}

const EXPORTS = `export { AnswerError, type Content } from '../../client/answers.ts';
export type { BasicSecret, Bytes, CallOptions, ClientOptions, Secret } from '../../client/call.ts';
export type { EventStream, ServerSentEvent } from '../../client/events.ts';`;

/** Without the status types that nothing uses; each uses those before it only. */
function used(parts: readonly string[]): string[] {
  const kept: string[] = [];
  for (const part of parts.toReversed()) {
    const name = /^\/\*\*.*\*\/\ntype (\w+) =/.exec(part)?.[1];
    if (name === undefined || kept.some((text) => names(text, name))) kept.push(part);
  }
  return kept.toReversed();
}

const IMPORTS: readonly [from: string, types: readonly string[]][] = [
  ['answers', ['Content']],
  ['events', ['EventStream']],
  ['call', ['BasicSecret', 'Bytes', 'CallOptions', 'ClientOptions', 'Secret']],
  ['plan', ['OperationPlan', 'SchemePlan']],
  ['types', ['operations']],
];

function imports(text: string): string {
  const lines = IMPORTS.flatMap(([file, types]) => {
    const wanted = types.filter((type) => names(text, type));
    return wanted.length === 0 ? [] : [`import type { ${wanted.join(', ')} } from '../../client/${file}.ts';`];
  });
  const values = text.includes('caller(') ? ["import { caller } from '../../client/call.ts';"] : [];
  return [...values, ...lines].join('\n');
}

/** Whether code names a type, in more than a comment or a text. */
function names(text: string, type: string): boolean {
  return new RegExp(`(?:[:=|,] |<)${type}\\b`).test(text.replaceAll(/\/\*\*[^]*?\*\//g, ''));
}

function request(contract: Contract, operation: Operation): string {
  return `/** What ${title(operation)} is called with. */\nexport type ${requestName(operation)} = ${requestType(contract, operation)};`;
}

function answer(contract: Contract, operation: Operation): string {
  const types = answerTypes(contract, operation).map((type) => `\n  | ${type}`);
  return `/** What the contract lets ${title(operation)} answer. */\nexport type ${answerName(operation)} =${types.join('') || ' never'};`;
}

function authInterface({ securitySchemes }: Contract): string {
  const members = [...securitySchemes].flatMap(([name, scheme]) => {
    const { kind } = schemePlan(scheme);
    if (kind === 'elsewhere') return [];
    const doc = commentText(scheme.description ?? '').replaceAll(/\s+/g, ' ');
    return `${doc === '' ? '' : `  /** ${doc} */\n`}  ${propertyName(name)}?: ${kind === 'basic' ? 'BasicSecret' : 'Secret'};\n`;
  });
  return `/** Who calls, by security scheme. */\nexport interface Auth {\n${members.join('')}}`;
}

function clientInterface(operations: readonly Operation[]): string {
  const methods = operations.map((operation) => {
    const optional = asksForNothing(operation) ? '?' : '';
    const deprecated = operation.definition.deprecated === true ? '\n   * @deprecated\n   ' : '';
    return `  /** ${description(operation)}${deprecated} */
  ${operation.id}(request${optional}: ${requestName(operation)}, options?: CallOptions): Promise<${answerName(operation)}>;\n`;
  });
  return `/**
 * One function for each operation. Each resolves with one of the documented answers, errors included, and rejects with an
 * \`AnswerError\` where the answer is none of them, or as \`fetch\` does where there is none.
 */
export interface Client {\n${methods.join('')}}`;
}

function creation(contract: Contract): string[] {
  const { operations, securitySchemes } = contract;
  const doc = '/** A client of the contract. */';
  if (operations.length === 0) {
    return [`${doc}\nexport function createClient(_options: ClientOptions<Auth>): Client {\n  return {};\n}`];
  }
  const schemes = Object.fromEntries([...securitySchemes].map(([name, scheme]) => [name, schemePlan(scheme)]));
  const plans = Object.fromEntries(operations.map((operation) => [operation.id, clientPlan(contract, operation)]));
  const methods = operations.map(({ id }) => `    ${id}: (request, init) => call(plans.${id}, request, init),\n`);
  return [
    `${doc}
export function createClient(options: ClientOptions<Auth>): Client {
  const call = caller(schemes, options);
  return {\n${methods.join('')}  };
}`,
    `const schemes: Readonly<Record<string, SchemePlan>> = ${json(schemes)};`,
    `const plans = ${json(plans)} satisfies Record<string, OperationPlan>;`,
  ];
}

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}
