import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { checkCycles } from '../../checks/cycles.ts';
import { checkSchemas } from '../../checks/schemas.ts';
import type { OpenApiDocument, Schema } from '../../openapi.ts';
import { isObject } from '../../pointers.ts';
import type { Direction } from '../levels.ts';
import { Comparison, type FoundChange } from '../schema/comparison.ts';

/** A schema with the components that it may refer to. */
export interface Version {
  schema: Schema;
  components: Readonly<Record<string, Schema>>;
}

/** The changes from one version to another, by the rules. */
export function findChanges(old: Version, after: Version, direction: Direction): FoundChange[] {
  const documents = { old: toDocument(old), new: toDocument(after) };
  const comparison = new Comparison({ documents, direction, isText: false, today: '2026-01-01' });
  const pointer = '/components/schemas/Root';
  return comparison.compare({
    old: comparison.views.old({ value: old.schema, pointer }),
    new: comparison.views.new({ value: after.schema, pointer }),
  });
}

/**
 * Whether a version is one that a contract can have, and that Ajv judges right: beside `prefixItems` it takes `[]` for a list that
 * contains something.
 */
export function isSound(version: Version): boolean {
  const document = toDocument(version);
  const text = JSON.stringify(document);
  if (text.includes('"contains":') && text.includes('"prefixItems":')) return false;
  return [checkSchemas(document), checkCycles(document)].flat().length === 0;
}

/** What judges values by a version; `undefined` where Ajv makes no code of it that runs. */
export function compile(version: Version): ValidateFunction | undefined {
  const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false, ownProperties: true });
  ajv.addSchema(toDocument(version), 'contract');
  try {
    return ajv.compile({ $ref: 'contract#/components/schemas/Root' });
  } catch {
    return undefined;
  }
}

/** The version in which objects have the properties that it describes, and no others. */
export function describeOnly({ schema, components }: Version): Version {
  return {
    schema: close(schema),
    components: Object.fromEntries(Object.entries(components).map(([name, one]) => [name, closeWithin(one)])),
  };
}

function toDocument({ schema, components }: Version): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    components: { schemas: { ...components, Root: schema } },
  };
}

/** The schema of a value of its own. */
function close(schema: Schema): Schema {
  if (!isObject(schema)) return schema === true ? { unevaluatedProperties: false } : schema;
  return { unevaluatedProperties: false, ...closeWithin(schema) };
}

/** A schema that stands beside others for the same value. */
function closeWithin<One extends Schema>(schema: One): One {
  if (!isObject(schema)) return schema;
  const fields = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (['items', 'additionalProperties'].includes(keyword)) return [keyword, close(value as Schema)];
    if (['properties', 'patternProperties'].includes(keyword)) return [keyword, mapValues(value, close)];
    if (keyword === 'dependentSchemas') return [keyword, mapValues(value, closeWithin)];
    if (keyword === 'prefixItems') return [keyword, (value as Schema[]).map(close)];
    if (['allOf', 'anyOf', 'oneOf'].includes(keyword)) return [keyword, (value as Schema[]).map(closeWithin)];
    return [keyword, ['then', 'else'].includes(keyword) ? closeWithin(value as Schema) : value];
  });
  return Object.fromEntries(fields) as One;
}

function mapValues(map: unknown, change: (schema: Schema) => Schema): Record<string, Schema> {
  return Object.fromEntries(Object.entries(map as Record<string, Schema>).map(([name, one]) => [name, change(one)]));
}
