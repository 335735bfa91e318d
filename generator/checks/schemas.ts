import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { isObject, pointerTo, segmentsOf } from '../pointers.ts';
import type { Finding } from './check.ts';

const ajv = new Ajv2020({ strict: false, logger: false });
const dialect = 'https://json-schema.org/draft/2020-12/schema';
const dataFields = new Set(['example', 'examples', 'default', 'enum', 'const', 'value']);

/** Every schema must itself be valid JSON Schema 2020-12. Expects a 3.1 document with the right structure. */
export function checkSchemas(document: unknown): Finding[] {
  const findings: Finding[] = [];
  visit(document, '', (schema, pointer) => findings.push(...checkSchema(schema, pointer)));
  return findings;
}

/** Finds the outermost schemas: those under `schema`, and the named ones. */
function visit(node: unknown, pointer: string, found: (schema: object, pointer: string) => void): void {
  if (!isObject(node)) return;
  for (const [field, value] of Object.entries(node)) {
    const at = pointerTo(pointer, field);
    if (dataFields.has(field) || field.startsWith('x-') || !isObject(value)) continue;
    if (field === 'schema' || pointer === '/components/schemas') found(value, at);
    else visit(value, at, found);
  }
}

function checkSchema(schema: object, pointer: string): Finding[] {
  if ('$schema' in schema && schema.$schema !== dialect) {
    return [{ pointer: pointerTo(pointer, '$schema'), sentence: `"$schema" must be "${dialect}" or be left out.` }];
  }
  if (ajv.validateSchema(schema) === true) return checkPatterns(schema, pointer);
  const [error] = ajv.errors ?? [];
  return error === undefined ? [] : [{ pointer: pointer + error.instancePath, sentence: sentenceOf(error, pointer) }];
}

function sentenceOf(error: ErrorObject, schemaPointer: string): string {
  const keyword = segmentsOf(schemaPointer + error.instancePath).at(-1);
  const allowed: unknown = error.params['allowedValues'];
  const wanted = Array.isArray(allowed) ? `must be one of: ${allowed.join(', ')}` : (error.message ?? 'is not valid');
  return `"${keyword}" ${wanted} (JSON Schema 2020-12).`;
}

function checkPatterns(node: unknown, pointer: string): Finding[] {
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([field, value]) => {
    const at = pointerTo(pointer, field);
    if (field !== 'pattern' || typeof value !== 'string') return dataFields.has(field) ? [] : checkPatterns(value, at);
    return isRegularExpression(value)
      ? []
      : [{ pointer: at, sentence: `"${value}" is not a valid regular expression.` }];
  });
}

/** Many specs escape what the flag `u` does not allow to be escaped; such patterns are used without it. */
function isRegularExpression(pattern: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(pattern, flags) instanceof RegExp;
    } catch {
      return false;
    }
  });
}
