import type { Contract, Operation } from '@branchline/contract';
import { printDescription, printTitle } from '../../typescript/operation-comments.ts';
import { escapeComment } from '../../comments.ts';
import { printPropertyName } from '../../typescript/code.ts';
import type { Models } from '../../typescript/models.ts';
import { STATUS_TYPES } from '../../typescript/status-types.ts';
import { planCalls, planScheme } from './client-plan.ts';
import { asksForNothing, listAnswerTypes, nameAnswerType, nameRequestType, printRequestType } from './call-types.ts';

/**
 * The types of what operations are called with and answer, by status, and of who calls.
 *
 * @param models - Learn which names of theirs the types use.
 */
export function printCallTypes(contract: Contract, models: Models): string[] {
  return [
    ...STATUS_TYPES.map(([name, type, doc]) => `/** ${doc} */\ntype ${name} = ${type};`),
    ...contract.operations.flatMap((operation) => [
      printRequest(contract, models, operation),
      printAnswer(contract, models, operation),
    ]),
    printAuth(contract),
  ];
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

/**
 * The signature of an operation's function.
 *
 * @param first - What stands before the request.
 * @param options - The type of the last parameter.
 */
export function printMethod(operation: Operation, first: string, options: string): string {
  const optional = asksForNothing(operation) ? '?' : '';
  const deprecated = operation.definition.deprecated === true ? '\n   * @deprecated\n   ' : '';
  return `  /** ${printDescription(operation)}${deprecated} */
  ${operation.id}(${first}request${optional}: ${nameRequestType(operation)}, options?: ${options}): Promise<${nameAnswerType(operation)}>;\n`;
}

/** What the functions go by, as data. */
export function printPlans(contract: Contract): string[] {
  const { operations, securitySchemes } = contract;
  const schemes = Object.fromEntries([...securitySchemes].map(([name, scheme]) => [name, planScheme(scheme)]));
  const plans = Object.fromEntries(operations.map((operation) => [operation.id, planCalls(contract, operation)]));
  return [
    `const schemes: Readonly<Record<string, SchemePlan>> = ${printJson(schemes)};`,
    `const plans = ${printJson(plans)} satisfies Record<string, OperationPlan>;`,
  ];
}

/** Parts of a file without the status types that nothing uses; each uses those before it only. */
export function selectUsed(parts: readonly string[]): string[] {
  const kept: string[] = [];
  for (const part of parts.toReversed()) {
    const name = /^\/\*\*.*\*\/\ntype (\w+) =/.exec(part)?.[1];
    if (name === undefined || kept.some((text) => mentions(text, name))) kept.push(part);
  }
  return kept.toReversed();
}

/** The imports of the types that a text uses, of those that there are. */
export function printTypeImports(
  text: string,
  available: readonly (readonly [file: string, types: readonly string[]])[],
): string[] {
  return available.flatMap(([file, types]) => {
    const wanted = types.filter((type) => mentions(text, type));
    return wanted.length === 0 ? [] : [`import type { ${wanted.join(', ')} } from './${file}.ts';`];
  });
}

/** Whether code names a type, in more than a comment or a text. */
function mentions(text: string, type: string): boolean {
  return new RegExp(`(?:[:=|,] |<)${type}\\b`).test(text.replaceAll(/\/\*\*[^]*?\*\//g, ''));
}

export function printJson(value: object): string {
  return JSON.stringify(value, null, 2);
}
