import { type Json, type Path, regularExpression, toPointer, valueAtPath } from '@branchline/contract';
import type { Oracle, Scope } from './validator.ts';
import { type SchemaObject, referenceOf, schemaAt, subschemas } from './schema-object.ts';

/** A schema that applies to a place of a valid value. */
export interface Site {
  schema: SchemaObject;
  /** Where the schema stands in the document. */
  pointer: string;
  at: Path;
  value: Json;
  /** See `Oracle.isolates`; the last one is the nearest. */
  scopes: readonly Scope[];
  /** An item after the first, or inside one: of interest only where a schema applies that did not apply before. */
  again: boolean;
  /** Inside an array marked `x-branchline-each`: the handler judges its items one at a time. */
  judgedApart: boolean;
}

const deepest = 8;

/**
 * Finds every schema that applies somewhere in `whole`, through references, `allOf`, and the branches of `oneOf` and
 * `anyOf` that accept the value. Of an array the first item stands for all, but for schemas that apply to later ones
 * only. A schema that contains itself is entered once.
 */
export function sitesIn(document: object, oracle: Oracle, pointer: string, whole: Json): Site[] {
  const sites: Site[] = [];
  const seen = new Set<string>();
  const applied = new Set<string>();

  const visit = (site: Omit<Site, 'schema' | 'value'>, within: ReadonlySet<string>): void => {
    const schema = schemaAt(document, site.pointer);
    const value = valueAtPath(whole, site.at) as Json | undefined;
    const key = `${site.pointer} ${toPointer(site.at)}`;
    if (schema === undefined || value === undefined || within.has(site.pointer) || seen.has(key)) return;
    if (site.at.length > deepest || schema['readOnly'] === true) return;
    seen.add(key);
    const here = { ...site, schema, value };
    if (!site.again || !applied.has(site.pointer)) sites.push(here);
    applied.add(site.pointer);
    const inside = new Set([...within, site.pointer]);
    for (const next of samePlace(here, oracle)) visit(next, inside);
    for (const next of children(here)) visit(next, inside);
  };

  visit({ pointer, at: [], scopes: [{ pointer, at: [] }], again: false, judgedApart: false }, new Set());
  return sites;
}

type Next = Omit<Site, 'schema' | 'value'>;

function samePlace({ schema, pointer, at, scopes, again, judgedApart, value }: Site, oracle: Oracle): Next[] {
  const here = (place: string, within = scopes): Next => ({ pointer: place, at, scopes: within, again, judgedApart });
  const reference = referenceOf(schema);
  const chosen = ['oneOf', 'anyOf'].flatMap((keyword) =>
    subschemas(schema, pointer, keyword)
      .filter((branch) => oracle.accepts(branch.pointer, value))
      .slice(0, 1),
  );
  return [
    ...(reference === undefined ? [] : [here(reference)]),
    ...subschemas(schema, pointer, 'allOf').map((part) => here(part.pointer)),
    ...chosen.map((branch) => here(branch.pointer, [...scopes, { pointer: branch.pointer, at }])),
  ];
}

function children(site: Site): Next[] {
  const { value } = site;
  if (Array.isArray(value)) return items(site, value);
  return typeof value === 'object' && value !== null ? properties(site, Object.keys(value)) : [];
}

function properties(site: Site, names: string[]): Next[] {
  const { schema, pointer } = site;
  const child = (name: string, schemaPointer: string): Next => below(site, name, schemaPointer);
  const declared = subschemas(schema, pointer, 'properties').filter(({ name }) => names.includes(name));
  const patterns = subschemas(schema, pointer, 'patternProperties');
  const matching = patterns.flatMap(({ name: pattern, pointer: schemaPointer }) =>
    names.filter((name) => regularExpression(pattern).test(name)).map((name) => child(name, schemaPointer)),
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

function items(site: Site, value: Json[]): Next[] {
  const { schema, pointer } = site;
  const judgedApart = site.judgedApart || typeof schema['x-branchline-each'] === 'string';
  const prefix = subschemas(schema, pointer, 'prefixItems').slice(0, value.length);
  const rest = [...value.keys()].slice(prefix.length, prefix.length + mostItems);
  return [
    ...prefix.map((item, index) => below({ ...site, judgedApart }, String(index), item.pointer)),
    ...rest.map((index) =>
      below({ ...site, judgedApart, again: site.again || index > prefix.length }, String(index), `${pointer}/items`),
    ),
  ];
}

function below({ at, scopes, again, judgedApart }: Site, part: string, pointer: string): Next {
  return { pointer, at: [...at, part], scopes, again, judgedApart };
}
