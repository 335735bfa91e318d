import { ContractError } from './contract-error.ts';
import { parseJsonInTurns } from './json.ts';
import { objectOf, setOwn } from './own-properties.ts';
import { decode, readFromQuery, splitQuery, type Deserialized, type RawQuery } from './parameter-styles.ts';
import type { StylePlan } from './plan.ts';

const [PLUS, SPACE] = [0x2b, 0x20];

/** A form with more fields is none that a person has filled in. */
const MOST_FIELDS = 1_000;

/**
 * Reads a form (`application/x-www-form-urlencoded`): an object of texts, with a list of them where a name comes more than
 * once. The fields that the contract writes in a style of their own (`encoding`) are read by it.
 *
 * @param takeTurn - Waits until the next piece of a field that is JSON may be read.
 * @throws ContractError of kind `body` or `too-large`.
 */
export async function parseForm(
  text: string,
  fields: readonly StylePlan[],
  takeTurn: () => Promise<void>,
): Promise<Record<string, unknown>> {
  if (text.split('&', MOST_FIELDS + 1).length > MOST_FIELDS)
    throw new ContractError('too-large', `The body must not have more than ${MOST_FIELDS} fields.`);
  try {
    return await readForm(splitQuery(readPluses(text)), fields, takeTurn);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new ContractError('body', 'The body is not validly percent-encoded.');
  }
}

/** Each plus that stands for a space, at once: to replace those of a megabyte in a text takes tens of milliseconds. */
function readPluses(text: string): string {
  if (!text.includes('+')) return text;
  const bytes = Buffer.from(text);
  for (let at = bytes.indexOf(PLUS); at < bytes.length; at += 1) if (bytes[at] === PLUS) bytes[at] = SPACE;
  return bytes.toString();
}

/**
 * The same of a form that has been split.
 *
 * @throws URIError where a value is not validly percent-encoded.
 */
export async function readForm(
  written: RawQuery,
  fields: readonly StylePlan[],
  takeTurn: () => Promise<void>,
): Promise<Record<string, unknown>> {
  const styled = new Set(fields.map(({ key }) => key));
  const read = objectOf(
    [...written]
      .filter(([name]) => !styled.has(name.replace(/\[[^]*/, '')))
      .map(([name, [first = '', ...more]]): [string, unknown] => [
        name,
        more.length === 0 ? decode(first) : [first, ...more].map(decode),
      ]),
  );
  for (const field of fields) {
    const value = readFromQuery(field, written, styled);
    if (value === undefined) continue;
    setOwn(read, field.key, field.shape === 'json' ? await parseField(field.key, value, takeTurn) : value);
  }
  return read;
}

async function parseField(name: string, text: Deserialized, takeTurn: () => Promise<void>): Promise<unknown> {
  try {
    return await parseJsonInTurns(Buffer.from(String(text)), takeTurn);
  } catch {
    throw new ContractError('body', `The field "${name}" of the body must be JSON.`);
  }
}
