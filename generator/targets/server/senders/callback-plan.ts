import type { Contract, Hook, Located } from '@branchline/contract';
import type { CallbackPlan, Expression } from '../../client/templates/outgoing/callback-url.ts';

/** What OpenAPI's grammar of runtime expressions knows; a name is what is left, and a JSON pointer may be none. */
const EXPRESSION =
  /^\$(?:(?<own>url|method|statusCode)|(?<of>request|response)\.(?:header\.(?<header>[!#$%&'*+.^`|~\w-]+)|query\.(?<query>.+)|path\.(?<path>.+)|(?<body>body)(?:#(?<pointer>(?:\/(?:[^~/]|~[01])*)*))?))$/s;

/** Where each callback of a contract is sent. One whose expression is malformed is left out, and warned of. */
export function planCallbacks(contract: Contract, hooks: readonly Hook[]): CallbackPlan[] {
  return hooks.flatMap(({ id, target, parameters }) => {
    if (target === undefined) return [];
    const names = parameters.filter(({ value }) => value.in === 'path').map(({ value }) => value.name);
    const parts = parseTarget(target.value, names);
    if (typeof parts !== 'string') return [{ id, parts }];
    warnOf(contract, target, parts);
    return [];
  });
}

function warnOf(contract: Contract, { pointer, value }: Located<string>, problem: string): void {
  contract.warn(
    pointer,
    `The callback's key "${value}" ${problem}; write it like "{$request.body#/callbackUrl}", else its URL is not made.`,
  );
}

/**
 * The parts of a callback's key.
 *
 * @param pathParameters - What else may stand in braces: these are filled in when the callback is sent.
 * @returns what is wrong, where it is malformed.
 */
export function parseTarget(key: string, pathParameters: readonly string[]): CallbackPlan['parts'] | string {
  if (key.startsWith('$')) {
    const only = parseExpression(key);
    return typeof only === 'string' ? only : [only];
  }
  const parts: (string | Expression)[] = [];
  for (const piece of key.split(/(\{[^{}]*\})/).filter((text) => text !== '')) {
    const within = /^\{(.*)\}$/s.exec(piece)?.[1];
    if (within === undefined && /[{}]/.test(piece)) return 'has a brace without its other';
    const part = within === undefined || pathParameters.includes(within) ? piece : parseExpression(within);
    if (typeof part === 'string' && part !== piece) return part;
    parts.push(part);
  }
  return parts;
}

/** @returns what is wrong, where it is none. */
function parseExpression(text: string): Expression | string {
  const found = EXPRESSION.exec(text)?.groups;
  if (found === undefined) return `holds "${text}", which is no runtime expression`;
  const { own, of: side, header, query, path, body, pointer = '' } = found;
  const of = side === 'response' || own === 'statusCode' ? 'reply' : 'request';
  if (own !== undefined) return { text, of, in: own === 'statusCode' ? 'status' : (own as 'url' | 'method'), name: '' };
  if (body !== undefined) return { text, of, in: 'body', name: pointer };
  if (header !== undefined) return { text, of, in: 'header', name: header };
  if (of === 'reply') return `holds "${text}", though a response has no such parameters`;
  return query === undefined ? { text, of, in: 'path', name: path ?? '' } : { text, of, in: 'query', name: query };
}
