import { _, type FuncKeywordDefinition, str } from 'ajv/dist/2020.js';

/**
 * Whether a number is a multiple of another, both as they are written: 19.99 is one of 0.01, though not of what stands in memory for
 * them.
 */
export function isMultiple(value: number, of: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0;
  if (!Number.isFinite(value) || !Number.isFinite(of) || of === 0) return false;
  const [all, step] = [readDecimal(value), readDecimal(of)];
  const shift = all.exponent - step.exponent;
  return shift < 0
    ? all.digits % (step.digits * 10n ** BigInt(-shift)) === 0n
    : (all.digits * 10n ** BigInt(shift)) % step.digits === 0n;
}

/** The shortest text that is read as a number, as a whole number times a power of ten. */
function readDecimal(number: number): { digits: bigint; exponent: number } {
  const [digits = '', exponent] = number.toExponential().split('e');
  const fraction = digits.split('.')[1] ?? '';
  return { digits: BigInt(digits.replace('.', '')), exponent: Number(exponent) - fraction.length };
}

/** Ajv's own divides, and so is wrong of fractions. It stands between the same keywords. */
export const multipleOf: FuncKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  before: 'format',
  error: {
    message: ({ schemaCode }) => str`must be multiple of ${schemaCode}`,
    params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
  },
  validate: (of: number, value: number) => isMultiple(value, of),
};
