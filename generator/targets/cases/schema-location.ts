import { type Json, type Path, compilePattern, toPointer, valueAtPath } from '@branchline/contract';
import type { Validator, Scope } from './validator.ts';
import { type SchemaObject, readReference, readSchema, listSubschemas } from './schema-object.ts';

/** A schema that applies to a place of a valid value. */
export interface SchemaLocation {
  schema: SchemaObject;
  /** Where the schema stands in the document. */
  pointer: string;
  at: Path;
  value: Json;
  /** See `Validator.isolates`; the last one is the nearest. */
  scopes: readonly Scope[];
  /** An item after the first, or inside one: of interest only where a schema applies that did not apply before. */
  again: boolean;
  /** Inside an array marked `x-branchline-each`: the handler judges its items one at a time. */
  checkedItemwise: boolean;
}

const deepest = 8;

/**
 * Finds every schema that applies somewhere in `whole`, through references, `allOf`, and the branches of `oneOf` and
 * `anyOf` that accept the value. Of an array the first item stands for all, but for schemas that apply to later ones
 * only. A schema that contains itself is entered once.
 */
export function findSchemaLocations(
  document: object,
  validator: Validator,
  pointer: string,
  whole: Json,
): SchemaLocation[] {
  const locations: SchemaLocation[] = [];
  const seen = new Set<string>();
  const applied = new Set<string>();

  const visit = (location: Omit<SchemaLocation, 'schema' | 'value'>, within: ReadonlySet<string>): void => {
    const schema = readSchema(document, location.pointer);
    const value = valueAtPath(whole, location.at) as Json | undefined;
    const key = `${location.pointer} ${toPointer(location.at)}`;
    if (schema === undefined || value === undefined || within.has(location.pointer) || seen.has(key)) return;
    if (location.at.length > deepest || schema['readOnly'] === true) return;
    seen.add(key);
    const here = { ...location, schema, value };
    if (!location.again || !applied.has(location.pointer)) locations.push(here);
    applied.add(location.pointer);
    const inside = new Set([...within, location.pointer]);
    for (const next of listSamePlace(here, validator)) visit(next, inside);
    for (const next of listChildren(here)) visit(next, inside);
  };

  visit({ pointer, at: [], scopes: [{ pointer, at: [] }], again: false, checkedItemwise: false }, new Set());
  return locations;
}

type Next = Omit<SchemaLocation, 'schema' | 'value'>;

function listSamePlace(
  { schema, pointer, at, scopes, again, checkedItemwise, value }: SchemaLocation,
  validator: Validator,
): Next[] {
  const here = (place: string, within = scopes): Next => ({
    pointer: place,
    at,
    scopes: within,
    again,
    checkedItemwise,
  });
  const reference = readReference(schema);
  const chosen = ['oneOf', 'anyOf'].flatMap((keyword) =>
    listSubschemas(schema, pointer, keyword)
      .filter((branch) => validator.takes(schema, branch.pointer, value))
      .slice(0, 1),
  );
  return [
    ...(reference === undefined ? [] : [here(reference)]),
    ...listSubschemas(schema, pointer, 'allOf').map((part) => here(part.pointer)),
    ...chosen.map((branch) => here(branch.pointer, [...scopes, { pointer: branch.pointer, at }])),
  ];
}

function listChildren(location: SchemaLocation): Next[] {
  const { value } = location;
  if (Array.isArray(value)) return listItems(location, value);
  return typeof value === 'object' && value !== null ? listProperties(location, Object.keys(value)) : [];
}

function listProperties(location: SchemaLocation, names: string[]): Next[] {
  const { schema, pointer } = location;
  const child = (name: string, schemaPointer: string): Next => locateBelow(location, name, schemaPointer);
  const declared = listSubschemas(schema, pointer, 'properties').filter(({ name }) => names.includes(name));
  const patterns = listSubschemas(schema, pointer, 'patternProperties');
  const matching = patterns.flatMap(({ name: pattern, pointer: schemaPointer }) =>
    names.filter((name) => compilePattern(pattern).test(name)).map((name) => child(name, schemaPointer)),
  );
  const known = new Set([...declared.map(({ name }) => name), ...matching.map((next) => next.at.at(-1))]);
  const other = names.filter((name) => !known.has(name)).slice(0, 1);
  return [
    ...declared.map((property) => child(property.name, property.pointer)),
    ...matching,
    ...other.map((name) => child(name, `${pointer}/additionalProperties`)),
  ];
}

const mostItems = 8;

function listItems(location: SchemaLocation, value: Json[]): Next[] {
  const { schema, pointer } = location;
  const checkedItemwise = location.checkedItemwise || typeof schema['x-branchline-each'] === 'string';
  const prefix = listSubschemas(schema, pointer, 'prefixItems').slice(0, value.length);
  const rest = [...value.keys()].slice(prefix.length, prefix.length + mostItems);
  return [
    ...prefix.map((item, index) => locateBelow({ ...location, checkedItemwise }, String(index), item.pointer)),
    ...rest.map((index) =>
      locateBelow(
        { ...location, checkedItemwise, again: location.again || index > prefix.length },
        String(index),
        `${pointer}/items`,
      ),
    ),
  ];
}

function locateBelow({ at, scopes, again, checkedItemwise }: SchemaLocation, part: string, pointer: string): Next {
  return { pointer, at: [...at, part], scopes, again, checkedItemwise };
}
