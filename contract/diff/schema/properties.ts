import type { Located } from '../../contract.ts';
import type { OpenApiDocument } from '../../openapi.ts';
import { isObject, pointerTo } from '../../pointers.ts';
import { compilePattern } from '../../schemas.ts';
import { findKeyword, type Part, type View, viewOf } from './view.ts';

/** What a schema says of one property of its objects. */
export interface Property {
  /** Its schema; that of other properties where this one is not described. */
  view: View;
  /** It has a schema of its own, or is required. */
  isKnown: boolean;
  isRequired: boolean;
  /** Where it is described. */
  pointer: string;
}

/** The names of the properties that a schema describes or requires. */
export function listNames(view: View): string[] {
  const described = findKeyword(view, 'properties').flatMap(({ value }) => (isObject(value) ? Object.keys(value) : []));
  return [...new Set([...described, ...listRequired(view).keys()])];
}

export function readProperty(document: OpenApiDocument, view: View, name: string): Property {
  const described = view.parts.flatMap((part) => findSchemas(part, name));
  const own = view.parts.flatMap((part) => findOwn(part, name));
  const required = listRequired(view).get(name);
  const schemas = described.length > 0 ? described : findUnevaluated(view);
  const found = viewOf(document, schemas);
  const pointer = own[0]?.pointer ?? required ?? view.pointer;
  return {
    view: { ...found, pointer },
    isKnown: own.length > 0 || required !== undefined,
    isRequired: required !== undefined,
    pointer,
  };
}

/** What is asked of properties that are not described, and whether that was written rather than left open. */
export function readOthers(document: OpenApiDocument, view: View): { view: View; isWritten: boolean } {
  const schemas = [
    ...findKeyword(view, 'additionalProperties'),
    ...(view.groups.length === 0 ? findUnevaluated(view) : []),
  ];
  const found = viewOf(document, schemas);
  return { view: schemas.length === 0 ? { ...found, pointer: view.pointer } : found, isWritten: schemas.length > 0 };
}

/** Whether a property has a mark, such as `readOnly`, itself or by what it refers to. */
export function findMark(view: View, mark: string): string | undefined {
  return findKeyword(view, mark).find(({ value }) => value === true)?.pointer;
}

/** It is asked for again for each property. */
const requiredByView = new WeakMap<View, ReadonlyMap<string, string>>();

function listRequired(view: View): ReadonlyMap<string, string> {
  const known = requiredByView.get(view) ?? readRequired(view);
  requiredByView.set(view, known);
  return known;
}

function readRequired(view: View): Map<string, string> {
  return new Map(
    findKeyword(view, 'required').flatMap(({ value, pointer }) =>
      Array.isArray(value)
        ? value.map((name: unknown, index): [string, string] => [String(name), pointerTo(pointer, index)])
        : [],
    ),
  );
}

/** The schemas of a part that judge a property: its own, those whose pattern fits, else that of all others. */
function findSchemas(part: Part, name: string): Located<unknown>[] {
  const matching = Object.entries(readMap(part, 'patternProperties'))
    .filter(([pattern]) => compilePattern(pattern).test(name))
    .map(([pattern, value]) => ({ value, pointer: pointerTo(part.pointer, 'patternProperties', pattern) }));
  const found = [...findOwn(part, name), ...matching];
  if (found.length > 0 || part.schema['additionalProperties'] === undefined) return found;
  return [{ value: part.schema['additionalProperties'], pointer: pointerTo(part.pointer, 'additionalProperties') }];
}

function findOwn(part: Part, name: string): Located<unknown>[] {
  const properties = readMap(part, 'properties');
  if (!Object.hasOwn(properties, name)) return [];
  return [{ value: properties[name], pointer: pointerTo(part.pointer, 'properties', name) }];
}

/** What alternatives describe is evaluated where they hold: it is not known then what is not. */
function findUnevaluated(view: View): Located<unknown>[] {
  return view.groups.length > 0 ? [] : findKeyword(view, 'unevaluatedProperties');
}

export function readMap({ schema }: Part, keyword: string): Readonly<Record<string, unknown>> {
  const map = schema[keyword];
  return isObject(map) ? map : {};
}
