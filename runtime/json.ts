import { isUtf8 } from 'node:buffer';
import { randomInt } from 'node:crypto';
import { ContractError } from './contract-error.ts';
import { JsonPieces } from './json-pieces.ts';
import { countKeys, parseText, refuseJson, refuseTwice } from './json-text.ts';

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
  const { keys, escapesKeys } = lookOver(bytes, Number.POSITIVE_INFINITY);
  const value = parseText(bytes.toString('utf8'), escapesKeys);
  if (keys !== countKeys(value)) throw refuseTwice();
  return value;
}

/** The parsing of more waits for a turn: a millisecond is little among a few requests, and much among hundreds. */
const LARGE_BYTES = 4_096;

/** After how much a piece ends, which then has twice as much at most: some 2 ms where objects have ever other keys, or ever another order. */
const PIECE_BYTES = 8_192;

/**
 * Does the same in turns, as many as it is worth.
 *
 * @param takeTurn - Waits until the next piece of work may be done.
 */
export async function parseJsonInTurns(bytes: Buffer, takeTurn: () => Promise<void>): Promise<unknown> {
  if (bytes.length > LARGE_BYTES) await takeTurn();
  return bytes.length > 2 * PIECE_BYTES ? parseJsonInPieces(bytes, takeTurn) : parseJson(bytes);
}

/**
 * Takes a turn for each piece, but for the first look over all.
 *
 * @param length - After how many bytes a piece ends. Defaults to 8 KiB.
 */
export async function parseJsonInPieces(
  bytes: Buffer,
  takeTurn: () => Promise<void>,
  length = PIECE_BYTES,
): Promise<unknown> {
  const { keys, ends, escapesKeys } = lookOver(bytes, length);
  const pieces = new JsonPieces(bytes, { ends, escapesKeys, length });
  const reading = pieces.read();
  for (;;) {
    await takeTurn();
    const { done, value } = reading.next();
    if (done !== true) continue;
    if (keys !== pieces.keys) throw refuseTwice();
    return value;
  }
}

/**
 * Looks once over the bytes, and refuses what would cost too much. That takes some milliseconds for a megabyte.
 *
 * @param large - The size in bytes from which on it says where lists and objects end.
 * @throws ContractError of kind `body`.
 */
function lookOver(bytes: Buffer, large: number): Measure {
  if (!isUtf8(bytes)) throw new ContractError('body', 'The body is not valid UTF-8.');
  const found = measure(bytes, large);
  const { depth, containers, names, isClosed } = found;
  if (depth > MOST_LEVELS) throw new ContractError('body', `The body is nested more than ${MOST_LEVELS} levels deep.`);
  if (containers > mostContainers(bytes.length))
    throw new ContractError('body', 'The body has too many lists and objects for its size. Send it in several parts.');
  if (names > mostNames(bytes.length))
    throw new ContractError('body', 'The body has too many different keys for its size. Send it in several parts.');
  if (!isClosed) throw refuseJson();
  return found;
}

interface Measure {
  depth: number;
  /** Lists and objects. */
  containers: number;
  /** Outside strings, each has one colon. */
  keys: number;
  /** How many different ones these are, at least; 0 where they were not told apart. */
  names: number;
  /** Whether one of them has escape sequences. */
  escapesKeys: boolean;
  /** Whether as many brackets close as open, and none before. */
  isClosed: boolean;
  /** Where each large list or object ends, by where it begins. */
  ends: Map<number, number>;
}

/** Whether there is a key with this hash. */
const seen = new Uint8Array(1 << 18);
/** So that nobody can tell which keys have the same hash. */
const seed = randomInt(2 ** 31);

/** A key takes as many bytes at least, but for an empty one: two quotation marks, a letter and a colon. */
const shortestKey = 4;

/** Looks once over the bytes of what may be JSON. The names of a body that has no room for too many are not told apart. */
function measure(bytes: Buffer, large: number): Measure {
  let depth = 0;
  let hash = 0;
  let isEscaped = false;
  const found: Measure = {
    depth: 0,
    containers: 0,
    keys: 0,
    names: 0,
    escapesKeys: false,
    isClosed: false,
    ends: new Map(),
  };
  /** Where those begin that are open. */
  const open = new Uint32Array(MOST_LEVELS + 1);
  const tellsNamesApart = bytes.length / shortestKey >= mostNames(bytes.length);
  if (tellsNamesApart) seen.fill(0);
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case 0x22 /* " */:
        hash = seed;
        isEscaped = false;
        for (at += 1; at < bytes.length && bytes[at] !== 0x22; at += 1) {
          if (tellsNamesApart) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
          if (bytes[at] === 0x5c /* \ */) {
            isEscaped = true;
            at += 1;
          }
        }
        break;
      case 0x3a /* : */:
        found.keys += 1;
        if (isEscaped) found.escapesKeys = true;
        if (tellsNamesApart) {
          found.names += 1 - (seen[hash >>> 14] ?? 1);
          seen[hash >>> 14] = 1;
        }
        break;
      case 0x5b /* [ */:
      case 0x7b /* { */:
        found.containers += 1;
        open[depth] = at;
        depth += 1;
        if (depth > found.depth) found.depth = depth;
        break;
      case 0x5d /* ] */:
      case 0x7d /* } */:
        depth -= 1;
        if (depth < 0) return found;
        if (at - (open[depth] ?? at) > large) found.ends.set(open[depth] ?? at, at);
        break;
      default:
    }
  }
  found.isClosed = depth === 0;
  return found;
}
