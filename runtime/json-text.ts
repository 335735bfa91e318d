import { ContractError } from './contract-error.ts';

/** @throws ContractError of kind `body`. */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(replaceHalfPairs(text));
  } catch {
    throw refuseJson();
  }
}

export function refuseJson(): ContractError {
  return new ContractError('body', 'The body is not valid JSON.');
}

export function refuseTwice(): ContractError {
  return new ContractError('body', 'The body has an object with the same key twice.');
}

const escapedSurrogate = /\\u[dD][89a-fA-F]/;
/** Every escape sequence, pairs of surrogates as one, so that what else looks like half of a pair is one. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\[^]/g;
const halfPair = 6;

function replaceHalfPairs(text: string): string {
  if (!escapedSurrogate.test(text)) return text;
  return text.replace(escapes, (escape) => (escape.length === halfPair ? '\\ufffd' : escape));
}

/**
 * Loops over names, without callbacks or lists of what an object holds: a body may hold many lists, or an object of many
 * keys, and whoever sends it must not hold up others.
 */
export function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += countKeys(item);
    return keys;
  }
  const members = value as Record<string, unknown>;
  for (const key in members) keys += 1 + countKeys(members[key]);
  return keys;
}
