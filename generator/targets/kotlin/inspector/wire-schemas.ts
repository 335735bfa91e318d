import { type Contract, fromPointer, isObject, type Schema, SpecError } from '@branchline/contract';
import { printKdoc } from '../kdoc.ts';
import { escapeText } from '../literals.ts';

type SchemaObject = Exclude<Schema, boolean>;

/** Schemas that become classes, by name; each says whether it is `x-written`, `x-read` or both. */
export type WireSchemas = Record<string, SchemaObject>;

/**
 * What the library writes and reads, as plain as its classes are: objects, lists of objects, texts, numbers and booleans.
 * Bounds and rules are the server's to judge.
 *
 * @throws SpecError where a schema is of another kind.
 */
export function collectWireSchemas(contract: Contract, written: string, read: string): WireSchemas {
  const schemas: WireSchemas = {};
  const collect = (name: string, mark: 'x-written' | 'x-read'): void => {
    if (schemas[name]?.[mark] === true) return;
    const known = (schemas[name] ??= simplifyClass(contract, name));
    known[mark] = true;
    for (const other of listReferences(known)) collect(other, mark);
  };
  collect(written, 'x-written');
  collect(read, 'x-read');
  return schemas;
}

/** `#/components/schemas/Batch` → `Batch`. */
export function readSchemaName(reference: unknown): string | undefined {
  return typeof reference === 'string' ? /^#\/components\/schemas\/([^/]+)$/.exec(reference)?.[1] : undefined;
}

function simplifyClass(contract: Contract, name: string): SchemaObject {
  const pointer = `/components/schemas/${name}`;
  const schema = resolveSchema(contract, name);
  const properties = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  return {
    type: 'object',
    // The templates put them between quotes as they are.
    required: required.map(escapeText),
    properties: Object.fromEntries(
      properties.map(([field, value]) => [
        escapeText(field),
        simplifyValue(contract, value, `${pointer}/properties/${field}`),
      ]),
    ),
    ...keepDescription(schema),
  };
}

function simplifyValue(contract: Contract, value: unknown, pointer: string): SchemaObject {
  const given: SchemaObject = isObject(value) ? value : {};
  const name = readSchemaName(given['$ref']);
  const schema = name === undefined ? given : resolveSchema(contract, name);
  const types = [schema['type']].flat().filter((type) => type !== 'null');
  const [type] = types;
  const nullable = [schema['type']].flat().includes('null');
  const scalar = ['string', 'integer', 'number', 'boolean'].find((known) => known === type);
  if (types.length === 1 && scalar !== undefined)
    return { type: nullable ? [scalar, 'null'] : scalar, ...keepFormat(schema), ...keepDescription(given) };
  if (type === 'object' && name !== undefined) return { $ref: `#/components/schemas/${name}` };
  const items = isObject(schema['items']) ? readSchemaName(schema['items']['$ref']) : undefined;
  if (type === 'array' && items !== undefined)
    return { type: 'array', items: { $ref: `#/components/schemas/${items}` }, ...keepDescription(given) };
  const sentence = `The Inspector library can't hold "${fromPointer(pointer).slice(-3).join('.')}": it holds texts, numbers, booleans, objects with a name under components.schemas, and lists of these objects.`;
  throw new SpecError(contract.source, [{ position: contract.locate(pointer), sentence }]);
}

function keepFormat({ format }: SchemaObject): SchemaObject {
  return format === 'int64' ? { format } : {};
}

function keepDescription({ description }: SchemaObject): SchemaObject {
  return typeof description === 'string' ? { 'x-kdoc': printKdoc(description) } : {};
}

function resolveSchema(contract: Contract, name: string): SchemaObject {
  const schema = contract.document.components?.schemas?.[name];
  if (typeof schema !== 'object') return {};
  const other = readSchemaName(schema['$ref']);
  return other === undefined ? schema : resolveSchema(contract, other);
}

function listReferences(schema: SchemaObject): string[] {
  const found = JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^/"]+)"/g);
  return [...found].map(([, name]) => name ?? '');
}
