import { Validator } from '@seriousme/openapi-schema-validator';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { isObject, pointerTo, fromPointer, valueAt } from '../pointers.ts';
import { readUnknownField } from '../validation-errors.ts';
import type { Finding } from './check.ts';
import { checkParameterObjects } from './parameter-objects.ts';
import { checkSecuritySchemes } from './security-schemes.ts';
import { describeDemand, namePlace, requiredSentence } from './sentences.ts';

/** Errors of these keywords only say that an alternative did not fit; the errors inside the alternatives say why. */
const vague = new Set(['oneOf', 'anyOf', 'if', 'not', 'unevaluatedProperties']);
/** These are demanded of an object whatever alternatives there are for its parts. */
const alwaysRequired = new Set(['openapi', 'info', 'title', 'version', 'paths', 'responses', 'description']);
const mostShown = 50;

/** It keeps what it has compiled. */
const validator = new Validator({ allErrors: true });

/**
 * Does the document have the shape that the OpenAPI specification's own JSON Schema asks for?
 *
 * @param most - How many findings are told.
 */
export async function checkStructure(document: unknown, most = mostShown): Promise<Finding[]> {
  if (!isObject(document)) return [];
  const own = [...checkParameterObjects(document), ...checkSecuritySchemes(document)];
  const result = await validator.validate(structuredClone(document));
  const errors = result.valid || !Array.isArray(result.errors) ? [] : result.errors;
  const said = new Set(own.map(({ pointer }) => pointer));
  const around = new Set([...said].flatMap(listAround));
  const isSaid = ({ instancePath }: ErrorObject): boolean =>
    around.has(instancePath) || [instancePath, ...listAround(instancePath)].some((place) => said.has(place));
  const found = selectTelling(errors.filter((error) => isSure(error) || !isSaid(error))).map((error) => ({
    pointer: findPlace(error),
    sentence: describeError(error, document),
    bearable: error.keyword === 'pattern' && /^\/components\/[^/]+$/.test(error.instancePath),
    superfluous: readUnknownField(error) !== undefined && !/^\/(?:paths$|.*\/responses$)/.test(error.instancePath),
  }));
  return [...own, ...found].slice(0, most);
}

/** The pointers of what something stands in. */
function listAround(pointer: string): string[] {
  return [...pointer.matchAll(/\//g)].map(({ index }) => pointer.slice(0, index));
}

/**
 * Of the many errors that one mistake causes: those that are sure, and of the others the first of each place that has
 * nothing further down.
 *
 * An alternative that was not meant (a Reference Object, say) fails higher up than the one that was.
 */
function selectTelling(errors: readonly ErrorObject[]): ErrorObject[] {
  const meant = errors.filter(({ params }) => params['missingProperty'] !== '$ref');
  const places = [...new Set(meant.map(({ instancePath }) => instancePath))];
  const around = new Set(places.flatMap(listAround));
  const relevant = meant.filter((error) => !isPattern(error));
  const byPlace = Map.groupBy(relevant, ({ instancePath }) => instancePath);
  const leaves = places
    .filter((place) => !around.has(place))
    .flatMap((place) => selectPrecise(byPlace.get(place) ?? []));
  return [...new Set([...relevant.filter(isSure), ...leaves])];
}

function selectPrecise(errors: readonly ErrorObject[]): ErrorObject | [] {
  const precise = errors.find(({ keyword, params }) => !vague.has(keyword) && params['missingProperty'] !== 'default');
  return precise ?? errors.find(({ keyword }) => keyword === 'unevaluatedProperties') ?? errors[0] ?? [];
}

/** Patterns are judged where schemas are: many are good for more than this schema's notion of them. */
function isPattern({ keyword, params }: ErrorObject): boolean {
  return keyword === 'format' && params['format'] === 'regex';
}

/** What no alternative could allow. Security schemes and parameters, for which that is not so, have checks of their own. */
function isSure({ keyword, params, instancePath }: ErrorObject): boolean {
  if (instancePath.startsWith('/components/securitySchemes/')) return false;
  return (
    keyword === 'additionalProperties' || (keyword === 'required' && alwaysRequired.has(params['missingProperty']))
  );
}

/** A field that should not be there is shown itself, not its owner. */
function findPlace(error: ErrorObject): string {
  const field = readUnknownField(error);
  return field === undefined ? error.instancePath : pointerTo(error.instancePath, field);
}

function describeError(error: ErrorObject, document: unknown): string {
  const { instancePath, keyword, params } = error;
  const name = namePlace(instancePath);
  const value = valueAt(document, instancePath);
  const unknown = readUnknownField(error);
  if (instancePath === '/paths' && unknown !== undefined) return `The path "${unknown}" must begin with "/".`;
  if (fromPointer(instancePath).at(-1) === 'responses') {
    if (keyword === 'minProperties' || params['missingProperty'] === 'default')
      return `${name} is empty; describe at least one response, under its status ("200") or under "default".`;
    if (unknown !== undefined)
      return `"${unknown}" is no status; responses stand under three digits ("200"), a class ("2XX") or "default".`;
  }
  if (keyword === 'type' && Array.isArray(value) && instancePath.endsWith('/type'))
    return `${name} must be a single type in OpenAPI 3.0; write "nullable: true" beside it for null, or use OpenAPI 3.1.`;
  if (keyword === 'type' && instancePath.endsWith('/required') && typeof value === 'boolean') return requiredSentence;
  return `${name} ${describeDemand(error, value)}.`;
}
