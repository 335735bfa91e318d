import { ContractError } from './contract-error.ts';
import { parseEscapedKeys } from './escaped-keys.ts';
import { objectOf } from './own-properties.ts';

/**
 * @param escapesKeys - Whether a key in it may have escape sequences.
 * @throws ContractError of kind `body`.
 */
export function parseText(text: string, escapesKeys: boolean): unknown {
  let value: unknown;
  try {
    value = escapesKeys ? parseEscapedKeys(text) : JSON.parse(text);
  } catch {
    throw refuseJson();
  }
  return escapedSurrogate.test(text) ? makeWellFormed(value) : value;
}

export function refuseJson(): ContractError {
  return new ContractError('body', 'The body is not valid JSON.');
}

export function refuseTwice(): ContractError {
  return new ContractError('body', 'The body has an object with the same key twice.');
}

const escapedSurrogate = /\\u[dD][89a-fA-F]/;

/** Has U+FFFD for each half of a surrogate pair, in keys too. */
function makeWellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(makeWellFormed);
  return objectOf(Object.entries(value).map(([key, member]) => [key.toWellFormed(), makeWellFormed(member)]));
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
