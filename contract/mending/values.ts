import { describeType, namePlace } from '../checks/sentences.ts';
import { isObject, pointerTo } from '../pointers.ts';
import type { Fields, Warn } from './fault.ts';
import { OBJECTS, type Shape } from './shapes.ts';

/** In the words of JSON Schema, for the sentences. */
const KINDS: Readonly<Record<string, string>> = {
  count: 'integer',
  flag: 'boolean',
  names: 'array',
  number: 'number',
  reference: 'string',
  text: 'string',
};

/** A field that is not there instead. */
const NOTHING = Symbol('nothing');

/**
 * Reads values of another kind than their field holds as what they mean (`"true"`, `"5"`, one name instead of a list of names), and
 * leaves out those that mean nothing.
 */
export function mendValues(document: Fields, warn: Warn): void {
  mendFields(document, 'document', '', warn);
}

function mendFields(owner: Fields, object: string, pointer: string, warn: Warn): void {
  for (const [field, shape] of Object.entries(OBJECTS[object] ?? {})) {
    if (Object.hasOwn(owner, field)) mendField(owner, field, shape, pointerTo(pointer, field), warn);
  }
}

function mendField(owner: Fields, field: string, shape: Shape, pointer: string, warn: Warn): void {
  const written = owner[field];
  const mended = mend(written, shape, pointer, warn);
  if (mended === NOTHING) delete owner[field];
  else if (mended !== written) owner[field] = mended;
}

/** What is meant by a value, with all that is in it mended; it is warned of where that is another. */
function mend(value: unknown, shape: Shape, pointer: string, warn: Warn): unknown {
  if (shape === 'any') return value;
  const meant = readAs(value, shape, pointer);
  if (meant === NOTHING) warn(pointer, `${describe(value, shape, pointer)}; it is ignored.`);
  else if (meant !== value) warn(pointer, `${describe(value, shape, pointer)}; it is read as if it were.`);
  if (!isObject(meant) || shape === 'names') return meant;
  if (shape.startsWith('{') || shape.startsWith('[')) return mendMembers(meant, shape.slice(1), pointer, warn);
  mendFields(meant, shape, pointer, warn);
  return meant;
}

function mendMembers(members: Fields, shape: Shape, pointer: string, warn: Warn): unknown {
  if (!Array.isArray(members)) {
    for (const name of Object.keys(members)) {
      if (!name.startsWith('x-') || shape === 'schema') mendField(members, name, shape, pointerTo(pointer, name), warn);
    }
    return members;
  }
  const mended = members.map((item: unknown, index) => mend(item, shape, pointerTo(pointer, index), warn));
  const isSame = mended.every((item, index) => item === members[index]);
  return isSame ? members : mended.filter((item) => item !== NOTHING);
}

function readAs(value: unknown, shape: Shape, pointer: string): unknown {
  switch (shape) {
    case 'text':
      if (typeof value === 'number' || typeof value === 'boolean') return String(value);
      return typeof value === 'string' ? value : NOTHING;
    case 'reference':
      return typeof value === 'string' ? value : NOTHING;
    case 'flag':
      if (value === 'true' || value === 'false') return value === 'true';
      return typeof value === 'boolean' ? value : NOTHING;
    case 'number':
    case 'count':
      return readNumber(value, shape);
    case 'names':
      return readNames(value);
    case 'schema':
      return readSchema(value, pointer);
    case 'discriminator':
      return readDiscriminator(value);
    case 'requirement':
      return readRequirement(value);
  }
  if (shape.startsWith('[')) return readList(value, shape, pointer);
  return isObject(value) && !Array.isArray(value) ? value : NOTHING;
}

function readNumber(value: unknown, shape: Shape): unknown {
  const number = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number') return NOTHING;
  return shape === 'number' || (Number.isInteger(number) && number >= 0) ? number : NOTHING;
}

/** A flag is left: it is told what it should be. */
function readNames(value: unknown): unknown {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return typeof value === 'boolean' ? value : NOTHING;
  if (value.every((name) => typeof name === 'string')) return value;
  return value.filter((name) => name !== null && !isObject(name)).map(String);
}

/** Of several schemas where one is due any may fit; what is no schema allows any value. */
function readSchema(value: unknown, pointer: string): unknown {
  if (typeof value === 'boolean') return value;
  if (!isObject(value)) return {};
  if (!Array.isArray(value)) return value;
  return pointer.endsWith('/items') && value.length > 0 ? { anyOf: value } : {};
}

function readDiscriminator(value: unknown): unknown {
  if (typeof value === 'string') return { propertyName: value };
  return isObject(value) && typeof value['propertyName'] === 'string' ? value : NOTHING;
}

/** Nothing is taken away that keeps anybody out: what can't be read is left, to be refused. */
function readRequirement(value: unknown): unknown {
  if (typeof value === 'string') return { [value]: [] };
  if (!isObject(value) || Array.isArray(value)) return value;
  const scopes = Object.entries(value).map(([name, written]): [string, unknown] => [name, readScopes(written)]);
  const isSame = scopes.every(([name, read]) => read === value[name]);
  return isSame ? value : Object.fromEntries(scopes);
}

function readScopes(written: unknown): unknown {
  if (written === null) return [];
  return typeof written === 'string' ? [written] : written;
}

function readList(value: unknown, shape: Shape, pointer: string): unknown {
  if (Array.isArray(value)) {
    const isEmptyChoice = value.length === 0 && /\/(?:allOf|anyOf|oneOf|prefixItems)$/.test(pointer);
    return isEmptyChoice ? NOTHING : value;
  }
  if (value === null || value === undefined) return NOTHING;
  if (shape === '[requirement') return isObject(value) ? [value] : value;
  if (shape === '[parameter' && isObject(value)) return '$ref' in value ? NOTHING : Object.values(value);
  if (shape === '[schema' && isObject(value)) return [value];
  return isObject(value) || (shape !== '[text' && shape !== '[any') ? NOTHING : [value];
}

function describe(value: unknown, shape: Shape, pointer: string): string {
  const kind = KINDS[shape] ?? (shape.startsWith('[') ? 'array' : 'object');
  const isOfKind = typeof value === kind || (kind === 'integer' && typeof value === 'number') || Array.isArray(value);
  return `${namePlace(pointer)} ${isOfKind ? 'is not what belongs there' : describeType([kind], value)}`;
}
