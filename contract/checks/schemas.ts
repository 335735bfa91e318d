import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { DATA_FIELDS_OF_EXAMPLES } from '../data-fields.ts';
import { isObject, pointerTo, valueAt } from '../pointers.ts';
import type { Finding } from './check.ts';
import { describeDemand, namePlace, requiredSentence } from './sentences.ts';

const ajv = new Ajv2020({ strict: false, logger: false, allErrors: true });
const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Every schema must itself be valid JSON Schema 2020-12. Expects a 3.1 document with the right structure. */
export function checkSchemas(document: unknown): Finding[] {
  const findings: Finding[][] = [];
  visit(document, '', (schema, pointer) => findings.push(checkSchema(schema, pointer)));
  return findings.flat();
}

/** Finds the outermost schemas: those under `schema`, and the named ones. */
function visit(node: unknown, pointer: string, found: (schema: object, pointer: string) => void): void {
  if (!isObject(node)) return;
  for (const [field, value] of Object.entries(node)) {
    const at = pointerTo(pointer, field);
    if (DATA_FIELDS_OF_EXAMPLES.has(field) || field.startsWith('x-') || !isObject(value)) continue;
    if (field === 'schema' || pointer === '/components/schemas') found(value, at);
    else visit(value, at, found);
  }
}

function checkSchema(schema: object, pointer: string): Finding[] {
  if ('$schema' in schema && schema.$schema !== dialect) {
    return [{ pointer: pointerTo(pointer, '$schema'), sentence: `"$schema" must be "${dialect}" or be left out.` }];
  }
  if (ajv.validateSchema(schema) === true) return checkPatterns(schema, pointer);
  const first = new Map((ajv.errors ?? []).toReversed().map((error) => [error.instancePath, error]));
  const deepest = [...first.values()].filter(
    ({ instancePath }) => ![...first.keys()].some((place) => place.startsWith(`${instancePath}/`)),
  );
  return deepest.map((error) => ({
    pointer: pointer + error.instancePath,
    sentence: describeError(error, pointer + error.instancePath, valueAt(schema, error.instancePath)),
  }));
}

function describeError(error: ErrorObject, pointer: string, value: unknown): string {
  if (pointer.endsWith('/required') && typeof value === 'boolean') return requiredSentence;
  return `${namePlace(pointer)} ${describeDemand(error, value)} (JSON Schema 2020-12).`;
}

function checkPatterns(node: unknown, pointer: string): Finding[] {
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([field, value]) => {
    const at = pointerTo(pointer, field);
    if (field !== 'pattern' || typeof value !== 'string')
      return DATA_FIELDS_OF_EXAMPLES.has(field) ? [] : checkPatterns(value, at);
    return checkPattern(value, at);
  });
}

function checkPattern(pattern: string, pointer: string): Finding[] {
  if (!isRegularExpression(pattern))
    return [{ pointer, sentence: `"${pattern}" is not a valid regular expression (ECMAScript).` }];
  const anchor = /(?<!\\)(?:\\\\)*(\\[AZz])/.exec(pattern)?.[1];
  if (anchor === undefined) return [];
  const sentence = `"${anchor}" is no anchor in ECMAScript but the letter "${anchor.slice(1)}"; write "^" and "$".`;
  return [{ pointer, sentence }];
}

/** Many specs escape what the flag `u` does not allow to be escaped; such patterns are used without it. */
export function isRegularExpression(pattern: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(pattern, flags) instanceof RegExp;
    } catch {
      return false;
    }
  });
}
