import { type Contract, isObject, type Schema } from '@branchline/contract';

/**
 * The JSON types that values of a schema can have, as far as the schema says; references and compositions are followed.
 * Empty: any.
 */
export function findTypes(contract: Contract, schema: Schema | undefined, seen = new Set<unknown>()): Set<string> {
  const target = contract.resolve(schema);
  if (!isObject(target) || seen.has(target)) return new Set();
  const within = new Set([...seen, target]);
  const own = [target['type'] ?? []].flat().map(String);
  if (own.length > 0) return new Set(own);
  if ('properties' in target) return new Set(['object']);
  if ('items' in target) return new Set(['array']);
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listSchemas(target[keyword]));
  return parts.reduce((types, part) => types.union(findTypes(contract, part, within)), new Set<string>());
}

/** The names of the properties that a schema declares, compositions included. */
export function findPropertyNames(contract: Contract, schema: Schema | undefined): string[] {
  return Object.keys(findProperties(contract, schema));
}

/** The properties that a schema declares, compositions included. */
export function findProperties(
  contract: Contract,
  schema: Schema | undefined,
  seen = new Set<unknown>(),
): Record<string, Schema> {
  const target = contract.resolve(schema);
  if (!isObject(target) || seen.has(target)) return {};
  const within = new Set([...seen, target]);
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listSchemas(target[keyword]));
  const inherited = parts.map((part) => findProperties(contract, part, within));
  const own = isObject(target['properties']) ? (target['properties'] as Record<string, Schema>) : {};
  return Object.assign({}, ...inherited, own);
}

function listSchemas(list: unknown): Schema[] {
  return Array.isArray(list) ? list.filter((item) => isObject(item)) : [];
}
