import { fromPointer, isJsonObject, type Json, type Path, toPointer, valueAtPath } from '@branchline/contract';

/** A JSON Schema object; keywords are read through the guards below, since a contract may hold anything. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** The schema object at a JSON pointer of the document; `undefined` for `true`, `false` and nothing. */
export function readSchema(document: object, pointer: string): SchemaObject | undefined {
  const schema = valueAtPath(document, fromPointer(pointer));
  return isJsonObject(schema) ? schema : undefined;
}

/** The pointer that `$ref` leads to, or `undefined` where the schema has none inside the document. */
export function readReference(schema: SchemaObject): string | undefined {
  const reference = schema['$ref'];
  return typeof reference === 'string' && reference.startsWith('#')
    ? decodeURIComponent(reference.slice(1))
    : undefined;
}

export function readNumber(schema: SchemaObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

export function readText(schema: SchemaObject, keyword: string): string | undefined {
  const value = schema[keyword];
  return typeof value === 'string' ? value : undefined;
}

export function readList(schema: SchemaObject, keyword: string): readonly Json[] {
  const value = schema[keyword];
  return Array.isArray(value) ? value : [];
}

/** Names and pointers of the subschemas in a keyword that maps names to schemas, or lists them. */
export function listSubschemas(
  schema: SchemaObject,
  pointer: string,
  keyword: string,
): { name: string; pointer: string }[] {
  const value = schema[keyword];
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).map((name) => ({ name, pointer: pointer + toPointer([keyword, name]) }));
}

/** The JSON types that a schema allows; empty where it does not say. */
export function readTypes(schema: SchemaObject): readonly string[] {
  const type = schema['type'];
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((one) => typeof one === 'string') : [];
}

export function startsWith(path: Path, prefix: Path): boolean {
  return prefix.every((part, index) => path[index] === part);
}
