import { isUtf8 } from 'node:buffer';
import { randomInt } from 'node:crypto';
import { ContractError } from './contract-error.ts';

const MOST_LEVELS = 64;

/** How many lists and objects a body may hold: so many, or one for each 16 bytes of a larger one. */
const mostContainers = (bytes: number): number => Math.max(65_536, bytes / 16);

/** How many different keys all objects of a body may have: so many, or one for each 100 bytes of a larger one. */
const mostNames = (bytes: number): number => Math.max(10_000, bytes / 100);

/**
 * Reads JSON strictly: valid UTF-8, no key twice in one object (also not in different spellings), at most 64 levels, and not so many
 * lists, objects and different keys that a small body would cost as much as a large one. All text
 * in it is well-formed: half of a surrogate pair, which JSON can escape and no encoding of Unicode can hold, becomes U+FFFD. Else
 * a text would change on its way into a database and out of it.
 *
 * A key `__proto__` becomes an ordinary own property.
 *
 * @throws ContractError of kind `body`.
 */
export function parseJson(bytes: Buffer): unknown {
  const keys = lookOver(bytes);
  const value = readJson(bytes);
  checkKeys(value, keys);
  return value;
}

/**
 * The first third of {@link parseJson}; {@link readJson} and {@link checkKeys} are the others. Each takes some milliseconds for a
 * megabyte, the second some ten for one that is made to be hard: what would take more is refused before it is parsed.
 *
 * @returns How many keys are written in it.
 * @throws ContractError of kind `body`.
 */
export function lookOver(bytes: Buffer): number {
  if (!isUtf8(bytes)) throw new ContractError('body', 'The body is not valid UTF-8.');
  const { depth, containers, keys, names } = measure(bytes);
  if (depth > MOST_LEVELS) throw new ContractError('body', `The body is nested more than ${MOST_LEVELS} levels deep.`);
  if (containers > mostContainers(bytes.length))
    throw new ContractError('body', 'The body has too many lists and objects for its size. Send it in several parts.');
  if (names > mostNames(bytes.length))
    throw new ContractError('body', 'The body has too many different keys for its size. Send it in several parts.');
  return keys;
}

/**
 * @param bytes - Were looked over.
 * @throws ContractError of kind `body`.
 */
export function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(replaceHalfPairs(bytes.toString('utf8')));
  } catch {
    throw new ContractError('body', 'The body is not valid JSON.');
  }
}

/**
 * @param written - How many keys are written in the JSON that the value was read from.
 * @throws ContractError of kind `body`.
 */
export function checkKeys(value: unknown, written: number): void {
  if (written > 0 && written !== countKeys(value))
    throw new ContractError('body', 'The body has an object with the same key twice.');
}

const escapedSurrogate = /\\u[dD][89a-fA-F]/;
/** Every escape sequence, pairs of surrogates as one, so that what else looks like half of a pair is one. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\[^]/g;
const halfPair = 6;

function replaceHalfPairs(text: string): string {
  if (!escapedSurrogate.test(text)) return text;
  return text.replace(escapes, (escape) => (escape.length === halfPair ? '\\ufffd' : escape));
}

interface Measure {
  depth: number;
  /** Lists and objects. */
  containers: number;
  /** Outside strings, each has one colon. */
  keys: number;
  /** How many different ones these are, at least; 0 where they were not told apart. */
  names: number;
}

/** Whether there is a key with this hash. */
const seen = new Uint8Array(1 << 18);
/** So that nobody can tell which keys have the same hash. */
const seed = randomInt(2 ** 31);

/** A key takes as many bytes at least, but for an empty one: two quotation marks, a letter and a colon. */
const shortestKey = 4;

/** Looks once over the bytes of what may be JSON. The names of a body that has no room for too many are not told apart. */
function measure(bytes: Buffer): Measure {
  let depth = 0;
  let hash = 0;
  const found: Measure = { depth: 0, containers: 0, keys: 0, names: 0 };
  const tellsNamesApart = bytes.length / shortestKey >= mostNames(bytes.length);
  if (tellsNamesApart) seen.fill(0);
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case 0x22 /* " */:
        hash = seed;
        for (at += 1; at < bytes.length && bytes[at] !== 0x22; at += 1) {
          if (tellsNamesApart) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
          if (bytes[at] === 0x5c /* \ */) at += 1;
        }
        break;
      case 0x3a /* : */:
        found.keys += 1;
        if (tellsNamesApart) {
          found.names += 1 - (seen[hash >>> 14] ?? 1);
          seen[hash >>> 14] = 1;
        }
        break;
      case 0x5b /* [ */:
      case 0x7b /* { */:
        found.containers += 1;
        depth += 1;
        if (depth > found.depth) found.depth = depth;
        break;
      case 0x5d /* ] */:
      case 0x7d /* } */:
        depth -= 1;
        break;
      default:
    }
  }
  return found;
}

/**
 * Loops over names, without callbacks or lists of what an object holds: a body may hold many lists, or an object of many
 * keys, and whoever sends it must not hold up others.
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
