import { Validator } from '@seriousme/openapi-schema-validator';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { isObject } from '../pointers.ts';
import type { Finding } from './check.ts';

/** Errors of these keywords only say that an alternative did not fit; the errors inside the alternatives say why. */
const vague = new Set(['oneOf', 'anyOf', 'if', 'not', 'unevaluatedProperties']);
const mostShown = 20;

/** Does the document have the shape that the OpenAPI specification's own JSON Schema asks for? */
export async function checkStructure(document: unknown): Promise<Finding[]> {
  if (!isObject(document)) return [];
  const result = await new Validator({ allErrors: true }).validate(structuredClone(document));
  if (result.valid || !Array.isArray(result.errors)) return [];
  return mostTelling(result.errors).map((error) => ({ pointer: error.instancePath, sentence: sentenceOf(error) }));
}

/**
 * Keeps, of the many errors that one mistake causes, those furthest down the document, one a place.
 *
 * An alternative that was not meant (a Reference Object, say) fails higher up than the one that was.
 */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject[] {
  const precise = errors.filter((error) => !vague.has(error.keyword) && error.params['missingProperty'] !== '$ref');
  const candidates = precise.length > 0 ? precise : errors;
  const byPlace = new Map(candidates.toReversed().map((error) => [error.instancePath, error]));
  const places = [...byPlace.keys()];
  const deepest = [...byPlace.values()].filter(
    ({ instancePath }) => !places.some((place) => place.startsWith(`${instancePath}/`)),
  );
  return deepest.toReversed().slice(0, mostShown);
}

function sentenceOf(error: ErrorObject): string {
  const field = error.instancePath === '' ? 'The document' : `"${lastSegment(error.instancePath)}"`;
  switch (error.keyword) {
    case 'additionalProperties':
      return `${field} has a field "${error.params['additionalProperty']}" that OpenAPI does not know here.`;
    case 'unevaluatedProperties':
      return `${field} has a field "${error.params['unevaluatedProperty']}" that OpenAPI does not know here.`;
    case 'required':
      return `${field} lacks the field "${error.params['missingProperty']}".`;
    case 'enum':
      return `${field} must be one of: ${error.params['allowedValues'].join(', ')}.`;
    default:
      return `${field} ${error.message ?? 'is not valid'}.`;
  }
}

function lastSegment(pointer: string): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}
