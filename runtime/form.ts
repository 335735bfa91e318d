import { ContractError } from './contract-error.ts';
import { parseJson } from './json.ts';
import { objectOf } from './own-properties.ts';
import { decode, readFromQuery, splitQuery, type Deserialized, type RawQuery } from './parameter-styles.ts';
import type { StylePlan } from './plan.ts';

/**
 * Reads a form (`application/x-www-form-urlencoded`): an object of texts, with a list of them where a name comes more than
 * once. The fields that the contract writes in a style of their own (`encoding`) are read by it.
 *
 * @throws ContractError of kind `body`.
 */
export function parseForm(text: string, fields: readonly StylePlan[]): Record<string, unknown> {
  try {
    return readForm(splitQuery(text), fields);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new ContractError('body', 'The body is not validly percent-encoded.');
  }
}

/**
 * The same of a form that has been split.
 *
 * @throws URIError where a value is not validly percent-encoded.
 */
export function readForm(written: RawQuery, fields: readonly StylePlan[]): Record<string, unknown> {
  const styled = new Set(fields.map(({ key }) => key));
  const plain = [...written]
    .filter(([name]) => !styled.has(name.replace(/\[[^]*/, '')))
    .map(([name, [first = '', ...more]]): [string, unknown] => [
      name,
      more.length === 0 ? decode(first) : [first, ...more].map(decode),
    ]);
  const others = fields.flatMap((field): [string, unknown][] => {
    const value = readFromQuery(field, written, styled);
    return value === undefined ? [] : [[field.key, field.shape === 'json' ? parseField(field.key, value) : value]];
  });
  return objectOf([...plain, ...others]);
}

function parseField(name: string, text: Deserialized): unknown {
  try {
    return parseJson(Buffer.from(String(text)));
  } catch {
    throw new ContractError('body', `The field "${name}" of the body must be JSON.`);
  }
}
