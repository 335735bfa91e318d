import type { Contract } from '../contract.ts';
import type { Schema } from '../openapi.ts';
import { isObject } from '../pointers.ts';

/**
 * The JSON types that values of a schema can have, as far as the schema says; references and compositions are followed.
 * Empty: any.
 */
export function typesOf(contract: Contract, schema: Schema | undefined, seen = new Set<unknown>()): Set<string> {
  const target = contract.resolve(schema);
  if (!isObject(target) || seen.has(target)) return new Set();
  const within = new Set([...seen, target]);
  const own = [target['type'] ?? []].flat().map(String);
  if (own.length > 0) return new Set(own);
  if ('properties' in target) return new Set(['object']);
  if ('items' in target) return new Set(['array']);
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schemasIn(target[keyword]));
  return parts.reduce((types, part) => types.union(typesOf(contract, part, within)), new Set<string>());
}

/** The names of the properties that a schema declares, compositions included. */
export function propertyNames(contract: Contract, schema: Schema | undefined, seen = new Set<unknown>()): string[] {
  const target = contract.resolve(schema);
  if (!isObject(target) || seen.has(target)) return [];
  const within = new Set([...seen, target]);
  const own = isObject(target['properties']) ? Object.keys(target['properties']) : [];
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schemasIn(target[keyword]));
  return [...new Set([...own, ...parts.flatMap((part) => propertyNames(contract, part, within))])];
}

function schemasIn(list: unknown): Schema[] {
  return Array.isArray(list) ? list.filter((item) => isObject(item)) : [];
}
