import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** The schemas of a contract, ready to check values. */
export interface ContractSchemas {
  /**
   * Compiles a schema that may refer into the contract by {@link makeReference}. Equal schemas are compiled once, however many
   * operations and applications they are for.
   *
   * @param values - `exact` for what keeps its types on the way (JSON), the default: nothing is coerced. `coerced` for what
   *   travels as text (parameters, forms).
   */
  compile(schema: object, values?: 'exact' | 'coerced'): ValidateFunction;
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

/** @param document - The contract as data: the generated `contract.json`. */
export function contractSchemas(document: object): ContractSchemas {
  const exact = new Ajv2020(options);
  const coerced = new Ajv2020({ ...options, coerceTypes: 'array' });
  for (const ajv of [exact, coerced]) {
    formats.default(ajv);
    ajv.addSchema(prepareForAjv(document), 'contract');
  }
  const compiled = { exact: new Map<string, ValidateFunction>(), coerced: new Map<string, ValidateFunction>() };
  return {
    compile: (schema, values = 'exact') => {
      const key = JSON.stringify(schema);
      const known = compiled[values].get(key);
      if (known !== undefined) return known;
      const validate = (values === 'exact' ? exact : coerced).compile(schema);
      compiled[values].set(key, validate);
      return validate;
    },
  };
}

/** Ajv wants a URI; a JSON pointer in a fragment is percent-encoded. */
export function makeReference(pointer: string): { $ref: string } {
  return { $ref: `contract#${pointer.split('/').map(encodeURIComponent).join('/')}` };
}

/** Specs in the wild escape characters that the `u` flag does not allow to be escaped. */
function compilePattern(pattern: string, flags: string): RegExp {
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
