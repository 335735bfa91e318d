import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { forgetOtherItems } from './contains.ts';
import { addStrictFormats } from './date-times.ts';
import { compareByFields } from './equality.ts';
import { multipleOf } from './multiples.ts';
import { rememberResults } from './remembered-results.ts';
import { createTextReader, type TextReader } from './text-values.ts';
import { areUnique } from './unique-items.ts';

/** The schemas of a contract, ready to check values. */
export interface ContractSchemas {
  /**
   * Compiles a schema that may refer into the contract by {@link makeReference}. Nothing is coerced. Equal schemas are compiled
   * once, however many operations and applications they are for.
   */
  compile(schema: object): ValidateFunction;
  /** Reads the value out of what travelled as text (parameters, forms), before it is checked. */
  readText: TextReader;
}

const options = {
  strict: false,
  logger: false,
  validateSchema: false,
  // An error shows the schema that it is of, which may have words of its own.
  verbose: true,
  // A body may hold a field called like something every object inherits ("constructor").
  ownProperties: true,
  code: { regExp: Object.assign(compilePattern, { code: 'regularExpression' }) },
} as const;

/** @param document - The contract's schemas as data, each where it stands in the contract: the generated `schemas.json`. */
export function contractSchemas(document: object): ContractSchemas {
  let ajv: Ajv2020 | undefined;
  const compiled = new Map<string, ValidateFunction>();
  const compile = (schema: object): ValidateFunction => {
    const key = JSON.stringify(schema);
    const validate = compiled.get(key) ?? (ajv ??= createAjv(document)).compile(schema);
    compiled.set(key, validate);
    return validate;
  };
  const fits = (pointer: string, value: unknown): boolean => compile(makeReference(pointer))(value);
  return { compile, readText: createTextReader(document, fits) };
}

function createAjv(document: object): Ajv2020 {
  const ajv = forgetOtherItems(compareByFields(rememberResults(new Ajv2020(options))));
  addStrictFormats(ajv);
  // A number has been rounded by the time that it is checked; what can't have been is taken.
  ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
  // Ajv's own compares each item with each, unless it knows them to be no objects. It stands between the same keywords.
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    before: 'maxContains',
    error: { message: 'must NOT have duplicate items' },
    validate: (isWanted: boolean, items: readonly unknown[]) => !isWanted || areUnique(items),
  });
  ajv.removeKeyword('multipleOf').addKeyword(multipleOf);
  return ajv.addSchema(prepareForAjv(document), 'contract');
}

/** Ajv wants a URI; a JSON pointer in a fragment is percent-encoded. */
export function makeReference(pointer: string): { $ref: string } {
  return { $ref: `contract#${pointer.split('/').map(encodeURIComponent).join('/')}` };
}

/** Specs in the wild escape characters that the `u` flag does not allow to be escaped. */
export function compilePattern(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}

/**
 * The contract, fit for Ajv: the items of an array marked `x-branchline-each` pass, since the handler judges them one by
 * one; and `nullable` without a `type`, which means nothing, is left out.
 */
function prepareForAjv(root: object): object {
  const fit: object = JSON.parse(JSON.stringify(root), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('x-branchline-each' in value) return { ...value, items: true };
    if ('nullable' in value && typeof value.nullable === 'boolean' && !('type' in value)) {
      const { nullable: _, ...rest } = value;
      return rest;
    }
    return value;
  });
  return fit;
}
