import { isUtf8 } from 'node:buffer';
import { ContractError } from './contract-error.ts';

const deepest = 64;

/**
 * Reads JSON strictly: valid UTF-8, no key twice in one object (also not in different spellings), at most 64 levels. All text
 * in it is well-formed: half of a surrogate pair, which JSON can escape and no encoding of Unicode can hold, becomes U+FFFD. Else
 * a text would change on its way into a database and out of it.
 *
 * A key `__proto__` becomes an ordinary own property.
 *
 * @throws ContractError of kind `body`.
 */
export function parseJson(bytes: Buffer): unknown {
  const read = readJson(bytes);
  checkStructure(read);
  return read.value;
}

/** JSON that was read, and whose structure is still to be checked. */
interface ReadJson {
  text: string;
  value: unknown;
}

/**
 * The first half of {@link parseJson}; {@link checkStructure} is the other. Each takes some ten milliseconds for a megabyte that
 * is made to be hard.
 *
 * @throws ContractError of kind `body`.
 */
export function readJson(bytes: Buffer): ReadJson {
  if (!isUtf8(bytes)) throw new ContractError('body', 'The body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  return { text, value: parse(text) };
}

/** @throws ContractError of kind `body`. */
export function checkStructure({ text, value }: ReadJson): void {
  const { depth, keys } = measure(text);
  if (depth > deepest) throw new ContractError('body', `The body is nested more than ${deepest} levels deep.`);
  if (keys > 0 && keys !== countKeys(value))
    throw new ContractError('body', 'The body has an object with the same key twice.');
}

const escapedSurrogate = /\\u[dD][89a-fA-F]/;
/** Every escape sequence, pairs of surrogates as one, so that what else looks like half of a pair is one. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\[^]/g;
const halfPair = 6;

function withoutHalfPairs(text: string): string {
  if (!escapedSurrogate.test(text)) return text;
  return text.replace(escapes, (escape) => (escape.length === halfPair ? '\\ufffd' : escape));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(withoutHalfPairs(text));
  } catch {
    throw new ContractError('body', 'The body is not valid JSON.');
  }
}

/** How deep a valid JSON text is nested, and how many keys are written in it: outside strings, each has one colon. */
function measure(text: string): { depth: number; keys: number } {
  let depth = 0;
  let deepestSeen = 0;
  let keys = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22 /* " */:
        at = endOfString(text, at);
        break;
      case 0x3a /* : */:
        keys += 1;
        break;
      case 0x5b /* [ */:
      case 0x7b /* { */:
        depth += 1;
        if (depth > deepestSeen) deepestSeen = depth;
        break;
      case 0x5d /* ] */:
      case 0x7d /* } */:
        depth -= 1;
        break;
      default:
    }
  }
  return { depth: deepestSeen, keys };
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c /* \ */) at += 1;
  }
}

/**
 * Loops over names, without callbacks or lists of what an object holds: a body may hold half a million lists, or an object of a
 * hundred thousand keys, and whoever sends it must not hold up others.
 */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += countKeys(item);
    return keys;
  }
  const members = value as Record<string, unknown>;
  for (const key in members) keys += 1 + countKeys(members[key]);
  return keys;
}
