import { isJsonObject, type JsonObject } from '@branchline/contract';
import type { TypedJson } from '../driver.ts';
import { formatSchema } from '../schema-text.ts';

const MAX_DEPTH = 10;

/** A kind of typed JSON that this client has no value for. */
export class Unsupported extends Error {}

/** The properties of an event, given as typed JSON. */
export function extract(input: TypedJson): JsonObject[] {
  const [kind, given] = findKind(input);
  if (kind === 'null') return [];
  if (kind === 'map') return ofPairs(listPairs(given), 1);
  if (kind === 'object') return ofPairs(listFields(given), 1);
  throw new Unsupported(`no properties from "${kind}"`);
}

function findType(value: TypedJson, level: number): JsonObject {
  const [kind, given] = findKind(value);
  if (['byte', 'short', 'int', 'long', 'bigint'].includes(kind)) return { type: 'int' };
  if (['float', 'double', 'decimal'].includes(kind)) return { type: 'float' };
  if (['string', 'text', 'uuid', 'date', 'uri'].includes(kind)) return { type: 'string' };
  if (kind === 'boolean' || kind === 'null') return { type: kind };
  if (kind === 'list' || kind === 'set') return ofElements(given, level + 1);
  if (kind === 'map') return ofObject(listPairs(given), level + 1);
  if (kind === 'object') return ofObject(listFields(given), level + 1);
  throw new Unsupported(`no "${kind}" in this language`);
}

function ofObject(pairs: [string, TypedJson][], level: number): JsonObject {
  if (level > MAX_DEPTH && pairs.length > 0) return { type: 'unknown' };
  return { type: 'object', properties: ofPairs(pairs, level) };
}

function ofElements(given: unknown, level: number): JsonObject {
  const elements = Array.isArray(given) ? given.filter(isJsonObject) : [];
  if (level > MAX_DEPTH && elements.length > 0) return { type: 'unknown' };
  const types = elements.map((element) => findType(element, level));
  const distinct = new Map(types.map((type) => [formatSchema([type]), type]));
  return { type: 'list', items: [...distinct.values()] };
}

function ofPairs(pairs: readonly [string, TypedJson][], level: number): JsonObject[] {
  return pairs.map(([name, value]) => ({ name, ...findType(value, level) }));
}

function listPairs(given: unknown): [string, TypedJson][] {
  if (!Array.isArray(given)) throw new Unsupported('no such map');
  return given.map((pair: unknown) => {
    if (!Array.isArray(pair) || !isJsonObject(pair[0]) || !isJsonObject(pair[1]))
      throw new Unsupported('no such entry');
    const [kind, key] = findKind(pair[0]);
    if (kind !== 'string') throw new Unsupported(`no keys of the kind "${kind}"`);
    return [String(key), pair[1]];
  });
}

function listFields(given: unknown): [string, TypedJson][] {
  const fields = isJsonObject(given) && Object.keys(given).join() === 'fields' ? given['fields'] : undefined;
  if (!Array.isArray(fields)) throw new Unsupported('only public fields of an object');
  return fields.flatMap((field) =>
    Array.isArray(field) && isJsonObject(field[1]) ? [[String(field[0]), field[1]] satisfies [string, TypedJson]] : [],
  );
}

function findKind(value: TypedJson): [string, unknown] {
  const [entry] = Object.entries(value);
  if (entry === undefined) throw new Unsupported('nothing');
  return entry;
}
