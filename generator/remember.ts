import { readCached, writeCached } from './cache.ts';
import { installedProgram } from './program.ts';
import { sha256 } from './sha256.ts';

/** Of each thing the last that was made: whoever watches a contract makes most of it again and again. */
const last = new Map<string, { key: string; value: unknown }>();

/**
 * What `make` gives, or has given this version of the generator before, in this run or an earlier one, for the same inputs.
 *
 * @param what - What is made; it tells apart what is made of the same.
 * @param inputs - All that it depends on. What is made is a JSON value, too.
 */
export async function remember<Value>(
  what: string,
  inputs: unknown,
  make: () => Value | Promise<Value>,
): Promise<Value> {
  const key = sha256(JSON.stringify([installedProgram().stamp, what, inputs]));
  const known = last.get(what);
  if (known?.key === key) return known.value as Value;
  const kept = (await readCached(key)) as { value: Value } | undefined;
  const value = kept === undefined ? await make() : kept.value;
  if (kept === undefined) await writeCached(key, { value });
  last.set(what, { key, value });
  return value;
}
