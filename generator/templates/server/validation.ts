import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import document from './contract.json' with { type: 'json' };

const options = {
  strict: false,
  logger: false,
  validateSchema: false,
  // An error shows the schema that it is of, which may have words of its own.
  verbose: true,
  // A body may hold a field called like something every object inherits ("constructor").
  ownProperties: true,
  code: { regExp: Object.assign(regularExpression, { code: 'regularExpression' }) },
} as const;

/** For what keeps its types on the way (JSON): nothing is coerced. */
const exact = new Ajv2020(options);
/** For what travels as text (parameters, forms). */
const coercing = new Ajv2020({ ...options, coerceTypes: 'array' });

for (const ajv of [exact, coercing]) {
  formats.default(ajv);
  ajv.addSchema(forAjv(document), 'contract');
}

/** Specs in the wild escape characters that the `u` flag does not allow to be escaped. */
function regularExpression(pattern: string, flags: string): RegExp {
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
function forAjv(root: object): object {
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

/** Ajv wants a URI; a JSON pointer in a fragment is percent-encoded. */
export function referenceTo(pointer: string): { $ref: string } {
  return { $ref: `contract#${pointer.split('/').map(encodeURIComponent).join('/')}` };
}

/** A validator for a schema that may refer into the contract by {@link referenceTo}. */
export function compile<T = unknown>(schema: object, values: 'exact' | 'coerced' = 'exact'): ValidateFunction<T> {
  return (values === 'exact' ? exact : coercing).compile<T>(schema);
}

/** `/events/0/name` → `events[0].name`. */
export function fieldName(instancePath: string): string {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
}

/** What an error asks for, to stand behind the name of the field: `must be at most 100`. */
export function demand({ keyword, params, message, parentSchema }: ErrorObject): string {
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'required':
      return `lacks the field "${params['missingProperty']}"`;
    case 'additionalProperties':
      return `must not have the field "${params['additionalProperty']}"`;
    case 'unevaluatedProperties':
      return `must not have the field "${params['unevaluatedProperty']}"`;
    case 'type':
      return `must be ${withArticle([params['type']].flat().join(' or '))}`;
    case 'enum':
      return `must be one of: ${[params['allowedValues']].flat().join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'exclusiveMinimum':
      return `must be above ${limit}`;
    case 'exclusiveMaximum':
      return `must be below ${limit}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} items`;
    case 'maxItems':
      return `must have at most ${limit} items`;
    case 'pattern':
      return String(parentSchema?.['x-branchline-demand'] ?? `must match the pattern ${params['pattern']}`);
    case 'format':
      return `must be a valid ${params['format']}`;
    case 'uniqueItems':
      return 'must not hold the same item twice';
    case 'false schema':
      return 'must not be there';
    default:
      return message ?? 'is not valid';
  }
}

function withArticle(type: string): string {
  return type === 'null' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
