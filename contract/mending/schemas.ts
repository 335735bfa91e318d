import { isRegularExpression } from '../checks/schemas.ts';
import { isObject, pointerTo } from '../pointers.ts';
import type { Fields, Warn } from './fault.ts';
import { visitSchemas } from './schema-visitor.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const TYPES = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

/** Mends the faults of schemas that leave no doubt what was meant, or that say nothing of which values are valid. */
export function mendSchemas(document: Fields, warn: Warn): void {
  const isOld = String(document['openapi']).startsWith('3.0');
  visitSchemas(document, (schema, pointer) => {
    mendDialect(schema, pointer, warn);
    mendTypes(schema, pointer, warn, isOld);
    mendRequired(schema, pointer, warn, isOld);
    mendEnumeration(schema, pointer, warn);
    mendPattern(schema, pointer, warn);
    mendKeys(schema, pointer, warn);
    if (!isOld) mendBounds(schema, pointer, warn);
    if (typeof schema['id'] === 'string') {
      delete schema['id'];
      warn(pointerTo(pointer, 'id'), '"id" of a schema is from an older JSON Schema; it is ignored.');
    }
    if (isOld && 'examples' in schema) {
      delete schema['examples'];
      warn(pointerTo(pointer, 'examples'), '"examples" of a schema is from OpenAPI 3.1; it is ignored.');
    }
  });
}

function mendDialect(schema: Fields, pointer: string, warn: Warn): void {
  if (schema['$schema'] === undefined || schema['$schema'] === DIALECT) return;
  delete schema['$schema'];
  warn(pointerTo(pointer, '$schema'), `"$schema" is ignored: the schema is read as "${DIALECT}".`);
}

function mendTypes(schema: Fields, pointer: string, warn: Warn, isOld: boolean): void {
  const written = schema['type'];
  if (written === undefined) return;
  const at = pointerTo(pointer, 'type');
  const types = [written].flat();
  const known = types.filter((type) => typeof type === 'string' && TYPES.has(type));
  if (known.length < types.length) {
    delete schema['type'];
    warn(at, `"type" must be one of: ${[...TYPES].join(', ')}; it is ignored, and any value taken.`);
  } else if (isOld && written === 'null') {
    delete schema['type'];
    schema['enum'] = [null];
    warn(at, '"null" is no type of OpenAPI 3.0; write "nullable: true" beside another type, or use OpenAPI 3.1.');
  } else if (isOld && Array.isArray(written)) {
    const [only, ...others] = known.filter((type) => type !== 'null');
    if (only === undefined || others.length > 0) return;
    schema['type'] = only;
    if (known.includes('null')) schema['nullable'] = true;
    warn(at, '"type" must be a single type in OpenAPI 3.0; write "nullable: true" beside it for null.');
  }
}

function mendRequired(schema: Fields, pointer: string, warn: Warn, isOld: boolean): void {
  const { required } = schema;
  const at = pointerTo(pointer, 'required');
  if (typeof required === 'boolean') {
    delete schema['required'];
    warn(at, '"required" must be a list of names, in the schema of the object; it is ignored here.');
  } else if (Array.isArray(required) && new Set(required).size < required.length) {
    schema['required'] = [...new Set(required)];
    warn(at, '"required" names a property twice.');
  } else if (isOld && Array.isArray(required) && required.length === 0) {
    delete schema['required'];
    warn(at, '"required" must not be empty in OpenAPI 3.0; it is ignored.');
  }
}

function mendEnumeration(schema: Fields, pointer: string, warn: Warn): void {
  const { enum: values, type } = schema;
  if (!Array.isArray(values)) return;
  const at = pointerTo(pointer, 'enum');
  if (values.length === 0) {
    delete schema['enum'];
    warn(at, '"enum" is empty, so that no value would be valid; it is ignored.');
  } else if (type === 'object' || type === 'array') {
    if (values.some((value) => isObject(value))) return;
    delete schema['type'];
    warn(pointerTo(pointer, 'type'), `"enum" names no value of the type "${type}"; the type is ignored.`);
  } else if (typeof type === 'string') {
    const meant = values.map((value: unknown) => readAsType(value, type));
    if (meant.every((value, index) => value === values[index])) return;
    schema['enum'] = meant;
    warn(at, `"enum" names values that are not of the type "${type}"; they are read as if they were.`);
  }
}

/** A value without its quotes, or with them where there should be none. */
function readAsType(value: unknown, type: string): unknown {
  if (type === 'string') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof value !== 'string') return value;
  if (type === 'boolean' && /^(?:true|false)$/.test(value)) return value === 'true';
  return (type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
}

/** Other languages write anchors that are letters in ECMAScript. */
function mendPattern(schema: Fields, pointer: string, warn: Warn): void {
  const { pattern } = schema;
  if (typeof pattern !== 'string') return;
  const at = pointerTo(pointer, 'pattern');
  const anchored = pattern.replaceAll(/(?<!\\)((?:\\\\)*)\\A/g, '$1^').replaceAll(/(?<!\\)((?:\\\\)*)\\[Zz]/g, '$1$$');
  if (!isRegularExpression(anchored)) {
    delete schema['pattern'];
    warn(at, `"${pattern}" is not a valid regular expression (ECMAScript); it is ignored.`);
  } else if (anchored !== pattern) {
    schema['pattern'] = anchored;
    warn(at, `"\\A" and "\\z" are no anchors in ECMAScript; the pattern is read as "${anchored}".`);
  }
}

function mendKeys(schema: Fields, pointer: string, warn: Warn): void {
  const { patternProperties } = schema;
  for (const key of Object.keys(isObject(patternProperties) ? patternProperties : {})) {
    if (isRegularExpression(key) || !isObject(patternProperties)) continue;
    delete patternProperties[key];
    warn(
      pointerTo(pointer, 'patternProperties', key),
      `"${key}" is not a valid regular expression (ECMAScript); it is ignored.`,
    );
  }
}

/** `exclusiveMinimum: true` beside `minimum` is from OpenAPI 3.0. */
function mendBounds(schema: Fields, pointer: string, warn: Warn): void {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const isExclusive = schema[exclusive];
    if (typeof isExclusive !== 'boolean') continue;
    const limit = schema[bound];
    delete schema[exclusive];
    if (isExclusive && typeof limit === 'number') {
      delete schema[bound];
      schema[exclusive] = limit;
    }
    warn(pointerTo(pointer, exclusive), `"${exclusive}" is a number in OpenAPI 3.1; it is read with "${bound}".`);
  }
}
