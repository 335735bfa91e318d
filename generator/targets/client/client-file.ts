import type { Contract, Operation } from '@branchline/contract';
import { printDescription, printTitle } from '../../typescript/operation-comments.ts';
import { escapeComment, printPropertyName } from '../../typescript/code.ts';
import { STATUS_TYPES } from '../../typescript/status-types.ts';
import { importModels, type Models } from '../../typescript/models.ts';
import { planCalls, planScheme } from './client-plan.ts';
import { nameAnswerType, listAnswerTypes, asksForNothing, nameRequestType, printRequestType } from './call-types.ts';

/**
 * The client itself: the types of requests and answers, and a function for each operation.
 *
 * @param models - Learn which names of theirs the file uses.
 */
export function printClient(contract: Contract, models: Models): string {
  const { operations } = contract;
  const parts = [
    ...STATUS_TYPES.map(([name, type, doc]) => `/** ${doc} */\ntype ${name} = ${type};`),
    ...operations.flatMap((operation) => [
      printRequest(contract, models, operation),
      printAnswer(contract, models, operation),
    ]),
    printAuth(contract),
    printClientInterface(operations),
    ...printCreation(contract),
  ];
  const text = selectUsed(parts).join('\n\n');
  return `${printImports(text)}\n\n${EXPORTS}\n\n${text}\n`;
}

const EXPORTS = `export { AnswerError, type Content } from './answers.ts';
export type { BasicSecret, Bytes, CallOptions, ClientOptions, Secret } from './call.ts';
export type { EventStream, ServerSentEvent } from './events.ts';
export type { Items } from './items.ts';`;

/** Without the status types that nothing uses; each uses those before it only. */
function selectUsed(parts: readonly string[]): string[] {
  const kept: string[] = [];
  for (const part of parts.toReversed()) {
    const name = /^\/\*\*.*\*\/\ntype (\w+) =/.exec(part)?.[1];
    if (name === undefined || kept.some((text) => mentions(text, name))) kept.push(part);
  }
  return kept.toReversed();
}

const IMPORTS: readonly [from: string, types: readonly string[]][] = [
  ['answers', ['Content']],
  ['events', ['EventStream']],
  ['items', ['Items']],
  ['call', ['BasicSecret', 'Bytes', 'CallOptions', 'ClientOptions', 'Secret']],
  ['plan', ['OperationPlan', 'SchemePlan']],
  ['types', ['operations']],
];

function printImports(text: string): string {
  const lines = IMPORTS.flatMap(([file, types]) => {
    const wanted = types.filter((type) => mentions(text, type));
    return wanted.length === 0 ? [] : [`import type { ${wanted.join(', ')} } from './${file}.ts';`];
  });
  const values = text.includes('createCaller(') ? ["import { createCaller } from './call.ts';"] : [];
  return [...values, ...lines, ...importModels(text)].join('\n');
}

/** Whether code names a type, in more than a comment or a text. */
function mentions(text: string, type: string): boolean {
  return new RegExp(`(?:[:=|,] |<)${type}\\b`).test(text.replaceAll(/\/\*\*[^]*?\*\//g, ''));
}

function printRequest(contract: Contract, models: Models, operation: Operation): string {
  return `/** What ${printTitle(operation)} is called with. */\nexport type ${nameRequestType(operation)} = ${printRequestType(contract, models, operation)};`;
}

function printAnswer(contract: Contract, models: Models, operation: Operation): string {
  const types = listAnswerTypes(contract, models, operation).map((type) => `\n  | ${type}`);
  return `/** What the contract lets ${printTitle(operation)} answer. */\nexport type ${nameAnswerType(operation)} =${types.join('') || ' never'};`;
}

function printAuth({ securitySchemes }: Contract): string {
  const members = [...securitySchemes].flatMap(([name, scheme]) => {
    const { kind } = planScheme(scheme);
    if (kind === 'elsewhere') return [];
    const doc = escapeComment(scheme.description ?? '').replaceAll(/\s+/g, ' ');
    return `${doc === '' ? '' : `  /** ${doc} */\n`}  ${printPropertyName(name)}?: ${kind === 'basic' ? 'BasicSecret' : 'Secret'};\n`;
  });
  return `/** Who calls, by security scheme. */\nexport interface Auth {\n${members.join('')}}`;
}

function printClientInterface(operations: readonly Operation[]): string {
  const methods = operations.map((operation) => {
    const optional = asksForNothing(operation) ? '?' : '';
    const deprecated = operation.definition.deprecated === true ? '\n   * @deprecated\n   ' : '';
    return `  /** ${printDescription(operation)}${deprecated} */
  ${operation.id}(request${optional}: ${nameRequestType(operation)}, options?: CallOptions): Promise<${nameAnswerType(operation)}>;\n`;
  });
  return `/**
 * One function for each operation. Each resolves with one of the documented answers, errors included, and rejects with an
 * \`AnswerError\` where the answer is none of them, or as \`fetch\` does where there is none.
 */
export interface Client {\n${methods.join('')}}`;
}

function printCreation(contract: Contract): string[] {
  const { operations, securitySchemes } = contract;
  const doc = '/** A client of the contract. */';
  if (operations.length === 0) {
    return [`${doc}\nexport function createClient(_options: ClientOptions<Auth>): Client {\n  return {};\n}`];
  }
  const schemes = Object.fromEntries([...securitySchemes].map(([name, scheme]) => [name, planScheme(scheme)]));
  const plans = Object.fromEntries(operations.map((operation) => [operation.id, planCalls(contract, operation)]));
  const methods = operations.map(({ id }) => `    ${id}: (request, init) => call(plans.${id}, request, init),\n`);
  return [
    `${doc}
export function createClient(options: ClientOptions<Auth>): Client {
  const call = createCaller(schemes, options);
  return {\n${methods.join('')}  };
}`,
    `const schemes: Readonly<Record<string, SchemePlan>> = ${printJson(schemes)};`,
    `const plans = ${printJson(plans)} satisfies Record<string, OperationPlan>;`,
  ];
}

function printJson(value: object): string {
  return JSON.stringify(value, null, 2);
}
