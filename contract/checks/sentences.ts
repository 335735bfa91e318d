import type { ErrorObject } from 'ajv/dist/2020.js';
import { fromPointer } from '../pointers.ts';

/** The name of what stands at a pointer, as an author would say it: `"get"`, `"parameters[0]"`. */
export function namePlace(pointer: string): string {
  const segments = fromPointer(pointer);
  const last = segments.at(-1);
  if (last === undefined) return 'The document';
  return /^\d+$/.test(last) && segments.at(-2) !== 'responses' ? `"${segments.at(-2)}[${last}]"` : `"${last}"`;
}

/** What a JSON Schema error asks of the value at its place, to stand behind the value's name. */
export function describeDemand({ keyword, params, message }: ErrorObject, value: unknown): string {
  switch (keyword) {
    case 'type':
      return describeType([params['type']].flat().map(String), value);
    case 'enum':
      return `must be one of: ${[params['allowedValues']].flat().join(', ')}`;
    case 'required':
      return `lacks the field "${params['missingProperty']}"`;
    case 'additionalProperties':
      return `has a field "${params['additionalProperty']}" that OpenAPI does not know here`;
    case 'unevaluatedProperties':
      return `has a field "${params['unevaluatedProperty']}" that OpenAPI does not know here`;
    case 'minProperties':
    case 'minItems':
      return 'must not be empty';
    case 'minimum':
      return `must be at least ${params['limit']}`;
    case 'exclusiveMinimum':
      return `must be above ${params['limit']}`;
    case 'uniqueItems':
      return 'must not hold the same item twice';
    case 'format':
      return `must be a valid ${params['format']}`;
    case 'pattern':
      return `must match the pattern ${params['pattern']}`;
    default:
      return message ?? 'is not valid';
  }
}

const kinds: Readonly<Record<string, string>> = {
  object: 'an object (fields below it)',
  array: 'a list',
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

/** That a value is not of one of some types, as JSON Schema calls them. */
export function describeType(types: readonly string[], value: unknown): string {
  const wanted = types.map((type) => kinds[type] ?? type).join(' or ');
  if (value === null || value === undefined) return `is empty; it must be ${wanted}`;
  if (types.includes('string') && typeof value !== 'object') return `must be ${wanted}; put quotes around ${value}`;
  const unquoted = types.some((type) => ['integer', 'number', 'boolean'].includes(type));
  return typeof value === 'string' && unquoted ? `must be ${wanted}, without quotes` : `must be ${wanted}`;
}

/** The commonest mistake in a schema. */
export const requiredSentence =
  '"required" must be a list of names in a schema; to demand a property, name it in "required" of the object around it.';
