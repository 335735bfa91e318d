import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** The shape of a `date-time` in RFC 3339, section 5.6. */
const SHAPE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

let numbers: ValidateFunction<string> | undefined;

/**
 * Adds the formats of `ajv-formats`, with a `date-time` that is no more than RFC 3339 says: theirs takes any white space for the `T`,
 * a line feed too, and offsets without a colon.
 */
export function addStrictFormats(ajv: Ajv2020): void {
  formats.default(ajv).addFormat('date-time', (text: string) => SHAPE.test(text) && hasRightNumbers(text));
}

function hasRightNumbers(text: string): boolean {
  numbers ??= formats.default(new Ajv2020()).compile<string>({ type: 'string', format: 'date-time' });
  return numbers(text);
}
