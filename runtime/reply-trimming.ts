import { compilePattern, contractSchemas, makeReference } from './contract-schemas.ts';
import { objectOf } from './own-properties.ts';
import { escapeSegment, findValue, isObject, listPointers, readReference } from './pointers.ts';

/** A copy of a JSON value that holds only what the schema at a JSON pointer documents. */
export type Trim = (pointer: string, value: unknown) => unknown;

/** A schema that a value is described by, and where it stands. */
interface Applied {
  pointer: string;
  schema: Record<string, unknown>;
}

/**
 * Leaves out of replies what the contract does not document: properties that no schema of the value names, unless one has
 * `additionalProperties: true` or a schema for them; and those that are `writeOnly`. Of alternatives those count that the value fits. An
 * object of which the contract names no property stays whole.
 *
 * @param document - The schemas of the replies.
 */
export function createTrimmer(document: object): Trim {
  // What is to be left out shall not keep a value from fitting an alternative.
  const open: object = JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    value === false && (key === 'additionalProperties' || key === 'unevaluatedProperties') ? undefined : value,
  );
  const { compile } = contractSchemas(open);
  const fits = (pointer: string, value: unknown): boolean => compile(makeReference(pointer))(value);

  const collect = (pointer: string, value: unknown, found: Map<string, Applied>): void => {
    const schema = findValue(open, pointer);
    if (!isObject(schema) || found.has(pointer)) return;
    found.set(pointer, { pointer, schema });
    const parts = [readReference(schema) ?? [], listPointers(schema, pointer, 'allOf')].flat();
    const choices = ['anyOf', 'oneOf'].flatMap((keyword) => {
      const branches = listPointers(schema, pointer, keyword);
      const fitting = branches.filter((branch) => fits(branch, value));
      return fitting.length > 0 ? fitting : branches;
    });
    const conditional = 'if' in schema ? [`${pointer}/${fits(`${pointer}/if`, value) ? 'then' : 'else'}`] : [];
    for (const part of [...parts, ...choices, ...conditional]) collect(part, value, found);
  };

  const trim = (pointers: readonly string[], value: unknown): unknown => {
    if (!isObject(value)) return value;
    const found = new Map<string, Applied>();
    for (const pointer of pointers) collect(pointer, value, found);
    const applied = [...found.values()];
    if (Array.isArray(value)) return value.map((item, index) => trim(findItems(applied, index), item));
    const isFree = applied.every(
      ({ schema }) => !isObject(schema['properties']) && !isObject(schema['patternProperties']),
    );
    const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      const described = findProperty(applied, name);
      if (described.some((pointer) => isWriteOnly(open, pointer))) return [];
      return isFree || described.length > 0 || isAllowed(applied, name) ? [[name, trim(described, member)]] : [];
    });
    return objectOf(members);
  };

  return (pointer, value) => trim([pointer], value);
}

function findItems(applied: readonly Applied[], index: number): string[] {
  return applied.flatMap(({ pointer, schema }) => {
    const { prefixItems, items } = schema;
    if (Array.isArray(prefixItems) && index < prefixItems.length) return [`${pointer}/prefixItems/${index}`];
    return isObject(items) ? [`${pointer}/items`] : [];
  });
}

/** The schemas of a property. */
function findProperty(applied: readonly Applied[], name: string): string[] {
  return applied.flatMap(({ pointer, schema }) => {
    const { properties, patternProperties } = schema;
    const named = isObject(properties) && Object.hasOwn(properties, name) ? [`properties/${escapeSegment(name)}`] : [];
    const matching = Object.keys(isObject(patternProperties) ? patternProperties : {})
      .filter((pattern) => compilePattern(pattern, 'u').test(name))
      .map((pattern) => `patternProperties/${escapeSegment(pattern)}`);
    const own = [...named, ...matching];
    const others = ['additionalProperties', 'unevaluatedProperties'].filter((keyword) => isObject(schema[keyword]));
    return (own.length > 0 ? own : others).map((place) => `${pointer}/${place}`);
  });
}

function isAllowed(applied: readonly Applied[], name: string): boolean {
  return applied.some(
    ({ schema }) =>
      schema['additionalProperties'] === true ||
      schema['unevaluatedProperties'] === true ||
      [schema['required']].flat().includes(name),
  );
}

function isWriteOnly(document: object, pointer: string, depth = 0): boolean {
  const schema = findValue(document, pointer);
  if (!isObject(schema) || depth > 8) return false;
  const parts = [readReference(schema) ?? [], listPointers(schema, pointer, 'allOf')].flat();
  return schema['writeOnly'] === true || parts.some((part) => isWriteOnly(document, part, depth + 1));
}
