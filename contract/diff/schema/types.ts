import { isObject } from '../../pointers.ts';
import type { Pair, SchemaChange } from './change.ts';
import { readAllowed } from './values.ts';
import { findKeyword, type Part, type View } from './view.ts';

/** `number` stands for numbers that are not whole; what allows any number has `integer` too. */
const TYPES = ['null', 'boolean', 'object', 'array', 'string', 'integer', 'number'] as const;
export type Type = (typeof TYPES)[number];

/** The types that the values of a schema may have. */
export function typesOf(view: View): ReadonlySet<Type> {
  const asked = view.parts.map(typesOfPart);
  const allowed = readAllowed(view)?.map(typeOfValue);
  return new Set(
    TYPES.filter(
      (type) => asked.every((types) => types.has(type)) && (allowed === undefined || allowed.includes(type)),
    ),
  );
}

function typesOfPart({ schema, orNull }: Part): ReadonlySet<Type> {
  const written = schema['type'] === undefined ? TYPES : [schema['type']].flat();
  const types = new Set(TYPES.filter((type) => written.includes(type)));
  if (types.has('number')) types.add('integer');
  return orNull ? types.add('null') : types;
}

export function typeOfValue(value: unknown): Type {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (isObject(value)) return 'object';
  return typeof value === 'boolean' ? 'boolean' : 'string';
}

/** What a text can be read as, and so what a parameter may become a text from. */
const WRITTEN_AS_TEXT: ReadonlySet<Type> = new Set(['boolean', 'integer', 'number', 'string']);

/**
 * @param isText - The values are written as text, as in parameters and headers: any number is a string too.
 */
export function compareTypes(pair: Pair, isText: boolean): SchemaChange[] {
  const [before, after] = [typesOf(pair.old), typesOf(pair.new)];
  // What is false is told of by a rule of its own.
  if (before.size === 0 || after.size === 0) return [];
  const place = placeTypes(pair);
  const sentence = `the type was ${name(before)} and is ${name(after)}`;
  const change = (one: SchemaChange['name']): SchemaChange => ({ name: one, sentence, ...place });
  const isTyped = before.size < TYPES.length && after.size < TYPES.length;
  const isNullAlone = [before, after].some((types) => types.size === 1 && types.has('null'));
  const isAboutNull = isTyped && !isNullAlone && before.has('null') !== after.has('null');
  const changes = isAboutNull ? [change(after.has('null') ? 'became-nullable' : 'became-not-nullable')] : [];
  const isCompared = (type: Type): boolean => !(isAboutNull && type === 'null');
  const covers = (types: ReadonlySet<Type>, type: Type): boolean =>
    types.has(type) || (isText && types.has('string') && WRITTEN_AS_TEXT.has(type));
  const lost = [...before].filter((type) => isCompared(type) && !covers(after, type));
  const gained = [...after].filter((type) => isCompared(type) && !covers(before, type));
  if (lost.length === 0 && gained.length === 0) return changes;
  if (lost.length > 0 && gained.length > 0) return [...changes, change('type-changed')];
  const isList = isTyped && Math.max(count(before), count(after)) > 1;
  if (isList) return [...changes, change(lost.length > 0 ? 'list-of-types-narrowed' : 'list-of-types-widened')];
  return [...changes, change(lost.length > 0 ? 'type-specialized' : 'type-generalized')];
}

function placeTypes(pair: Pair): Pick<SchemaChange, 'side' | 'pointer'> {
  const written = findKeyword(pair.new, 'type')[0] ?? findKeyword(pair.new, 'enum')[0];
  return { side: 'new', pointer: written?.pointer ?? pair.new.pointer };
}

/** How many types a person would name. */
function count(types: ReadonlySet<Type>): number {
  return types.size - (types.has('number') && types.has('integer') ? 1 : 0) - (types.has('null') ? 1 : 0);
}

function name(types: ReadonlySet<Type>): string {
  if (types.size === TYPES.length) return 'any';
  return [...types].filter((type) => type !== 'integer' || !types.has('number')).join(' or ');
}
