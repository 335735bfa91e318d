import type { Contract, Operation } from '@branchline/contract';
import { importModels, type Models } from '../../typescript/models.ts';
import { printCallTypes, printMethod, printPlans, printTypeImports, selectUsed } from './caller-parts.ts';

/**
 * The client itself: the types of requests and answers, and a function for each operation.
 *
 * @param models - Learn which names of theirs the file uses.
 */
export function printClient(contract: Contract, models: Models): string {
  const parts = [
    ...printCallTypes(contract, models),
    printClientInterface(contract.operations),
    ...printCreation(contract),
  ];
  const text = selectUsed(parts).join('\n\n');
  return `${printImports(text)}\n\n${EXPORTS}\n\n${text}\n`;
}

const EXPORTS = `export { AnswerError, type Content } from './answers.ts';
export type { BasicSecret, Bytes, CallOptions, ClientOptions, Secret } from './call.ts';
export type { EventStream, ServerSentEvent } from './events.ts';
export type { Items } from './items.ts';`;

const IMPORTS = [
  ['answers', ['Content']],
  ['events', ['EventStream']],
  ['items', ['Items']],
  ['call', ['BasicSecret', 'Bytes', 'CallOptions', 'ClientOptions', 'Secret']],
  ['plan', ['OperationPlan', 'SchemePlan']],
  ['types', ['operations']],
] as const;

function printImports(text: string): string {
  const values = text.includes('createCaller(') ? ["import { createCaller } from './call.ts';"] : [];
  return [...values, ...printTypeImports(text, IMPORTS), ...importModels(text)].join('\n');
}

function printClientInterface(operations: readonly Operation[]): string {
  const methods = operations.map((operation) => printMethod(operation, '', 'CallOptions'));
  return `/**
 * One function for each operation. Each resolves with one of the documented answers, errors included, and rejects with an
 * \`AnswerError\` where the answer is none of them, or as \`fetch\` does where there is none.
 */
export interface Client {\n${methods.join('')}}`;
}

function printCreation(contract: Contract): string[] {
  const { operations } = contract;
  const doc = '/** A client of the contract. */';
  if (operations.length === 0) {
    return [`${doc}\nexport function createClient(_options: ClientOptions<Auth>): Client {\n  return {};\n}`];
  }
  const methods = operations.map(({ id }) => `    ${id}: (request, init) => call(plans.${id}, request, init),\n`);
  return [
    `${doc}
export function createClient(options: ClientOptions<Auth>): Client {
  const call = createCaller(schemes, options);
  return {\n${methods.join('')}  };
}`,
    ...printPlans(contract),
  ];
}
