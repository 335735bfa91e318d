import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { BoundedPattern } from './bounded-pattern.ts';
import { addStrictFormats } from './date-times.ts';
import { compareByFields } from './equality.ts';
import { multipleOf } from './multiples.ts';
import { rememberResults } from './remembered-results.ts';
import { UncheckableSchema } from './uncheckable.ts';

export interface SchemaOptions {
  /** Report every error instead of stopping at the first. Defaults to false. */
  allErrors?: boolean;
  /** Read numbers and booleans out of text, as headers and query strings hold them. Defaults to false. */
  fromText?: boolean;
  /** Gives up a pattern that takes too long, by a UserError. Defaults to false. */
  boundsPatterns?: boolean;
}

/**
 * Gives the validator of the schema at a JSON pointer of the document; each is compiled once, when first asked for.
 *
 * @throws UncheckableSchema where the schema cannot be compiled.
 */
export type SchemaValidators = (pointer: string) => ValidateFunction;

/**
 * Compiles the schemas of an OpenAPI 3.1 document (JSON Schema 2020-12, formats asserted) where they stand, so that
 * references, recursion and odd names need no rewriting.
 *
 * @throws UncheckableSchema where what names schemas, such as `$id`, names two.
 */
export function schemaValidators(document: object, options: SchemaOptions = {}): SchemaValidators {
  const regExp = options.boundsPatterns === true ? compileBounded : compilePattern;
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    logger: false,
    verbose: true,
    ownProperties: true,
    // Each schema is compiled once, not once for each that refers to it.
    inlineRefs: false,
    allErrors: options.allErrors ?? false,
    coerceTypes: options.fromText === true ? 'array' : false,
    // What is checked by it is little, and optimized code takes twice as long to make.
    code: { regExp: Object.assign(regExp, { code: 'regularExpression' }), optimize: false },
  });
  addStrictFormats(ajv);
  ajv.addFormat('int64', { type: 'number', validate: isInt64 });
  compareByFields(ajv).removeKeyword('multipleOf').addKeyword(multipleOf);
  // What is read out of text is put where it stood, and is flat.
  if (options.fromText !== true) rememberResults(ajv);
  explain('', () => ajv.addSchema(removeBareNullable(document), 'contract'));
  const compiled = new Map<string, ValidateFunction>();
  return (pointer) => {
    const known = compiled.get(pointer);
    if (known !== undefined) return known;
    const reference = `contract#${pointer.split('/').map(encodeURIComponent).join('/')}`;
    const validate = explain(pointer, () => ajv.compile({ $ref: reference }));
    compiled.set(pointer, validate);
    return validate;
  };
}

function explain<T>(pointer: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new UncheckableSchema(pointer, error);
  }
}

/** A number has been rounded by the time that it is checked, so the upper bound is one that no int64 has. */
function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** As JSON Schema wants it, with the `u` flag; specs in the wild escape characters that it does not allow to escape. */
export function compilePattern(pattern: string, flags = 'u'): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}

function compileBounded(pattern: string, flags?: string): BoundedPattern {
  return new BoundedPattern(compilePattern(pattern, flags));
}

/** `nullable` without a `type` means nothing, also in OpenAPI 3.0, but Ajv refuses it. */
function removeBareNullable(document: object): object {
  const text = JSON.stringify(document);
  if (!text.includes('"nullable"')) return document;
  const fit: object = JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || 'type' in value) return value;
    if (!('nullable' in value) || typeof value.nullable !== 'boolean') return value;
    const { nullable: _, ...rest } = value;
    return rest;
  });
  return fit;
}
