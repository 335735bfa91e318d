import { isUtf8 } from 'node:buffer';
import { ContractError } from './contract-error.ts';
import { JsonOutline, MOST_LEVELS } from './json-outline.ts';
import { JsonPieces } from './json-pieces.ts';
import { countKeys, parseText, refuseJson, refuseTwice } from './json-text.ts';

/** How many lists and objects a body may hold: so many, or one for each 16 bytes of a larger one. */
const mostContainers = (bytes: number): number => Math.max(65_536, bytes / 16);

/** How many different keys all objects of a body may have: so many, or one for each 100 bytes of a larger one. */
const mostNames = (bytes: number): number => Math.max(10_000, bytes / 100);

/** A key is read at once, one with escape sequences several times. */
const MOST_KEY_BYTES = 65_536;

/**
 * Reads JSON strictly: valid UTF-8, no key twice in one object (also not in different spellings), at most 64 levels, no key of more than
 * 64 KiB, and not so many lists, objects and different keys that a small body would cost as much as a large one. All text
 * in it is well-formed: half of a surrogate pair, which JSON can escape and no encoding of Unicode can hold, becomes U+FFFD. Else
 * a text would change on its way into a database and out of it.
 *
 * A key `__proto__` becomes an ordinary own property.
 *
 * @throws ContractError of kind `body`.
 */
export function parseJson(bytes: Buffer): unknown {
  const outline = outlineOf(bytes, Number.POSITIVE_INFINITY);
  outline.look(Number.POSITIVE_INFINITY);
  checkOutline(outline, bytes.length);
  const value = parseText(bytes.toString('utf8'), outline.escapesKeys);
  if (outline.keys !== countKeys(value)) throw refuseTwice();
  return value;
}

/** The parsing of more waits for a turn: a millisecond is little among a few requests, and much among hundreds. */
const LARGE_BYTES = 4_096;

/** After how much a piece ends, which then has twice as much at most: some 2 ms where objects have ever other keys, or ever another order. */
const PIECE_BYTES = 8_192;

/** How many bytes are looked at before something else has its turn, whatever is in them: that takes some tenths of a millisecond. */
const LOOK_BYTES = 32_768;

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
 * Takes a turn for each piece that it looks at, but for the first, and for each that it parses.
 *
 * @param sizes - After how many bytes a piece ends that is parsed, and one that is looked at. Defaults to 8 and 32 KiB.
 */
export async function parseJsonInPieces(
  bytes: Buffer,
  takeTurn: () => Promise<void>,
  { parsed = PIECE_BYTES, looked = LOOK_BYTES } = {},
): Promise<unknown> {
  const outline = outlineOf(bytes, parsed);
  while (!outline.look(looked)) await takeTurn();
  checkOutline(outline, bytes.length);
  const { ends, escapesKeys, keys } = outline;
  const pieces = new JsonPieces(bytes, { ends, escapesKeys, parsed, looked });
  const reading = pieces.read();
  for (;;) {
    await takeTurn();
    const { done, value } = reading.next();
    if (done !== true) continue;
    if (keys !== pieces.keys) throw refuseTwice();
    return value;
  }
}

/** A key takes as many bytes at least, but for an empty one: two quotation marks, a letter and a colon. */
const SHORTEST_KEY = 4;

/** The names of a body that has no room for too many are not told apart. */
function outlineOf(bytes: Buffer, large: number): JsonOutline {
  if (!isUtf8(bytes)) throw new ContractError('body', 'The body is not valid UTF-8.');
  return new JsonOutline(bytes, large, bytes.length / SHORTEST_KEY >= mostNames(bytes.length));
}

/** @throws ContractError of kind `body` for what would cost too much, or is no JSON. */
function checkOutline({ levels, containers, names, longestKey, isClosed }: JsonOutline, bytes: number): void {
  if (levels > MOST_LEVELS) throw new ContractError('body', `The body is nested more than ${MOST_LEVELS} levels deep.`);
  if (containers > mostContainers(bytes))
    throw new ContractError('body', 'The body has too many lists and objects for its size. Send it in several parts.');
  if (names > mostNames(bytes))
    throw new ContractError('body', 'The body has too many different keys for its size. Send it in several parts.');
  if (longestKey > MOST_KEY_BYTES)
    throw new ContractError('body', `The body has a key of more than ${MOST_KEY_BYTES} bytes.`);
  if (!isClosed) throw refuseJson();
}
