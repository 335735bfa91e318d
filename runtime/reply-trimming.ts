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

/** A schema, and where those stand that a value is described by, too. */
interface Outline {
  applied: Applied | undefined;
  parts: readonly string[];
  /** The branches of each choice. */
  choices: readonly (readonly string[])[];
  condition: string | undefined;
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
  const validatorAt = remember((pointer) => compile(makeReference(pointer)));
  const isHidden = remember((pointer) => isWriteOnly(open, pointer));
  const outlineAt = remember((pointer) => outline(findValue(open, pointer), pointer));
  const fits = (pointer: string, value: unknown): boolean => validatorAt(pointer)(value);

  const collect = (pointer: string, value: unknown, found: Map<string, Applied>): void => {
    const { applied, parts, choices, condition } = outlineAt(pointer);
    if (applied === undefined || found.has(pointer)) return;
    found.set(pointer, applied);
    for (const part of parts) collect(part, value, found);
    for (const branches of choices) {
      const fitting = branches.filter((branch) => fits(branch, value));
      for (const branch of fitting.length > 0 ? fitting : branches) collect(branch, value, found);
    }
    if (condition !== undefined) collect(`${pointer}/${fits(condition, value) ? 'then' : 'else'}`, value, found);
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
      if (described.some(isHidden)) return [];
      return isFree || described.length > 0 || isAllowed(applied, name) ? [[name, trim(described, member)]] : [];
    });
    return objectOf(members);
  };

  return (pointer, value) => trim([pointer], value);
}

/** Schemas are looked for once, not for each value of a large reply. */
function remember<Found>(find: (pointer: string) => Found): (pointer: string) => Found {
  const known = new Map<string, { found: Found }>();
  return (pointer) => {
    const entry = known.get(pointer) ?? { found: find(pointer) };
    known.set(pointer, entry);
    return entry.found;
  };
}

function outline(schema: unknown, pointer: string): Outline {
  if (!isObject(schema)) return { applied: undefined, parts: [], choices: [], condition: undefined };
  return {
    applied: { pointer, schema },
    parts: [readReference(schema) ?? [], listPointers(schema, pointer, 'allOf')].flat(),
    choices: ['anyOf', 'oneOf'].map((keyword) => listPointers(schema, pointer, keyword)),
    condition: 'if' in schema ? `${pointer}/if` : undefined,
  };
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
