import { objectOf } from './own-properties.ts';
import { expectations, type Expectation } from './schema-expectations.ts';

/** `true` where a value fits the schema at a JSON pointer of the contract. */
type Fits = (pointer: string, value: unknown) => boolean;

/** As JSON writes it, but for a negative zero, which would not come out as it came in. */
const INTEGER = /^(?:0|-?[1-9]\d*)$/;
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Whether a text is a number, as JSON writes it. */
export function isNumber(text: string): boolean {
  return DECIMAL.test(text);
}

/** Whether a text is a whole number that would be rounded: one beyond 2^53. */
export function wouldBeRounded(text: string): boolean {
  return INTEGER.test(text) && !Number.isSafeInteger(Number(text));
}

/**
 * Reads values out of text, as the schema at a JSON pointer of the contract describes them. Where a schema leaves a choice of types,
 * each is tried on the text as it came: numbers and booleans first, then the text itself, then null, which an empty text stands for.
 * The first that fits the schema is the value. Nothing is rounded: a whole number beyond 2^53 is no number, only a text.
 *
 * What fits nothing stays text, for the validator to name what it lacks. The texts may stand in lists and objects; what is no text
 * stays as it is.
 */
export type TextReader = (pointer: string, text: unknown) => unknown;

export function createTextReader(document: object, fits: Fits): TextReader {
  const expect = expectations(document);

  const read = (pointers: readonly string[], text: unknown): unknown => {
    const expected = expect(pointers);
    if (typeof text !== 'string') return readParts(expected, text);
    const candidates = listCandidates(expected, text);
    const fitting =
      candidates.length > 1
        ? candidates.filter((value) => pointers.some((pointer) => fits(pointer, value)))
        : candidates;
    const [value = text] = fitting.length > 0 ? fitting : candidates;
    return value;
  };

  /** A form has a list of one as a single text. */
  const listCandidates = (expected: Expectation, text: string): unknown[] => {
    const scalars = listScalars(expected.types, text);
    return expected.types?.has('array') === true ? [...scalars, [read(expected.items, text)]] : scalars;
  };

  const readParts = (expected: Expectation, parts: unknown): unknown => {
    if (Array.isArray(parts)) return parts.map((item) => read(expected.items, item));
    if (typeof parts !== 'object' || parts === null) return parts;
    return objectOf(
      Object.entries(parts).map(([name, field]) => [
        name,
        read(expected.properties.get(name) ?? expected.others, field),
      ]),
    );
  };

  return (pointer, text) => read([pointer], text);
}

/** All that a text can stand for. */
function listScalars(types: ReadonlySet<string> | undefined, text: string): unknown[] {
  if (types === undefined) return [text];
  const values: unknown[] = [];
  const isAllowed = types.has('number') ? DECIMAL.test(text) : types.has('integer') && INTEGER.test(text);
  if (isAllowed && Number.isFinite(Number(text)) && !wouldBeRounded(text)) values.push(Number(text));
  if (types.has('boolean') && (text === 'true' || text === 'false')) values.push(text === 'true');
  if (types.has('string')) values.push(text);
  if (types.has('null') && text === '') values.push(null);
  return values;
}
