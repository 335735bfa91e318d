import { type Contract, fromPointer, isObject, type Schema, SpecError } from '@branchline/contract';
import { printKdoc } from '../../targets/kotlin/kdoc.ts';

type SchemaObject = Exclude<Schema, boolean>;

/** Schemas that become classes, by name; each says whether it is `x-written`, `x-read` or both. */
export type WireSchemas = Record<string, SchemaObject>;

/**
 * What the library writes and reads, as plain as its classes are: objects, lists of objects, texts, numbers and booleans.
 * Bounds and rules are the server's to judge.
 *
 * @throws SpecError where a schema is of another kind.
 */
export function wireSchemas(contract: Contract, written: string, read: string): WireSchemas {
  const schemas: WireSchemas = {};
  const collect = (name: string, mark: 'x-written' | 'x-read'): void => {
    if (schemas[name]?.[mark] === true) return;
    const known = (schemas[name] ??= plainClass(contract, name));
    known[mark] = true;
    for (const other of referredBy(known)) collect(other, mark);
  };
  collect(written, 'x-written');
  collect(read, 'x-read');
  return schemas;
}

/** `#/components/schemas/Batch` → `Batch`. */
export function schemaName(reference: unknown): string | undefined {
  return typeof reference === 'string' ? /^#\/components\/schemas\/([^/]+)$/.exec(reference)?.[1] : undefined;
}

function plainClass(contract: Contract, name: string): SchemaObject {
  const pointer = `/components/schemas/${name}`;
  const schema = schemaAt(contract, name);
  const properties = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
  const required = schema['required'] ?? [];
  return {
    type: 'object',
    required,
    properties: Object.fromEntries(
      properties.map(([field, value]) => [field, plainValue(contract, value, `${pointer}/properties/${field}`)]),
    ),
    ...described(schema),
  };
}

function plainValue(contract: Contract, value: unknown, pointer: string): SchemaObject {
  const given: SchemaObject = isObject(value) ? value : {};
  const name = schemaName(given['$ref']);
  const schema = name === undefined ? given : schemaAt(contract, name);
  const types = [schema['type']].flat().filter((type) => type !== 'null');
  const [type] = types;
  const nullable = [schema['type']].flat().includes('null');
  const scalar = ['string', 'integer', 'number', 'boolean'].find((known) => known === type);
  if (types.length === 1 && scalar !== undefined)
    return { type: nullable ? [scalar, 'null'] : scalar, ...formatOf(schema), ...described(given) };
  if (type === 'object' && name !== undefined) return { $ref: `#/components/schemas/${name}` };
  const items = isObject(schema['items']) ? schemaName(schema['items']['$ref']) : undefined;
  if (type === 'array' && items !== undefined)
    return { type: 'array', items: { $ref: `#/components/schemas/${items}` }, ...described(given) };
  const sentence = `The Inspector library can't hold "${fromPointer(pointer).slice(-3).join('.')}": it holds texts, numbers, booleans, objects with a name under components.schemas, and lists of these objects.`;
  throw new SpecError(contract.source, [{ position: contract.locate(pointer), sentence }]);
}

function formatOf({ format }: SchemaObject): SchemaObject {
  return format === 'int64' ? { format } : {};
}

function described({ description }: SchemaObject): SchemaObject {
  return typeof description === 'string' ? { 'x-kdoc': printKdoc(description) } : {};
}

function schemaAt(contract: Contract, name: string): SchemaObject {
  const schema = contract.document.components?.schemas?.[name];
  if (typeof schema !== 'object') return {};
  const other = schemaName(schema['$ref']);
  return other === undefined ? schema : schemaAt(contract, other);
}

function referredBy(schema: SchemaObject): string[] {
  const found = JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^/"]+)"/g);
  return [...found].map(([, name]) => name ?? '');
}
