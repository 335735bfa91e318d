import type { ErrorObject } from 'ajv/dist/2020.js';

/** What whole numbers are taken, beyond which they would be rounded. */
export const SAFE_RANGE = `a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

/** `/events/0/name` → `events[0].name`. */
export function toFieldName(instancePath: string): string {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
}

/**
 * The error to tell of those that a value met: the first that asks for something. A choice (`oneOf`) tells one error for each of its
 * branches, and one that is closed by a `not` is not what the sender meant, where another branch says what is wrong.
 */
export function chooseError(errors: readonly ErrorObject[] | null | undefined): ErrorObject | undefined {
  return errors?.find(({ keyword }) => keyword !== 'not' && keyword !== 'oneOf' && keyword !== 'anyOf') ?? errors?.[0];
}

/** What an error asks for, to stand behind the name of the field: `must be at most 100`. */
export function describeDemand(error: ErrorObject | undefined): string {
  if (error === undefined) return 'is not valid';
  const { keyword, params, message, parentSchema } = error;
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'required':
      return `lacks the field "${params['missingProperty']}"`;
    case 'additionalProperties':
      return `must not have the field ${quoteSent(params['additionalProperty'])}`;
    case 'unevaluatedProperties':
      return `must not have the field ${quoteSent(params['unevaluatedProperty'])}`;
    case 'type':
      return `must be ${addArticle([params['type']].flat().join(' or '))}`;
    case 'enum':
      return `must be one of: ${[params['allowedValues']].flat().map(writeValue).join(', ')}`;
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
      return params['format'] === 'int64' ? `must be ${SAFE_RANGE}` : `must be a valid ${params['format']}`;
    case 'uniqueItems':
      return 'must not hold the same item twice';
    case 'false schema':
      return 'must not be there';
    case 'not':
      return describeExcluded(error.schema);
    default:
      return message ?? 'is not valid';
  }
}

function writeValue(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `not: {required: [name]}` is how a schema excludes a field. */
function describeExcluded(schema: unknown): string {
  const { type: _type, required, properties = {}, ...rest } = Object(schema) as Record<string, unknown>;
  const ofFields = Object.values(Object(properties));
  const isMore =
    Object.keys(rest).length > 0 || ofFields.some((part) => part === false || Object.keys(Object(part)).length > 0);
  const names = Array.isArray(required) && !isMore ? required.map((name) => `"${String(name)}"`) : [];
  if (names.length === 0) return 'has a value that the contract excludes';
  return names.length === 1 ? `must not have the field ${names[0]}` : `must not have all of ${names.join(', ')}`;
}

/** The most of a sent name that an answer repeats, in UTF-16 units. */
const MOST_QUOTED = 100;

/** A name that was sent may be as long as a body, and a sentence about each of a thousand items that have it as well. */
function quoteSent(name: unknown): string {
  const text = String(name);
  return text.length <= MOST_QUOTED ? `"${text}"` : `"${text.slice(0, MOST_QUOTED - 1).toWellFormed()}…"`;
}

function addArticle(type: string): string {
  return type === 'null' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
