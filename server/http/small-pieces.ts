import type { Socket } from 'node:net';

/** In bytes. Each piece of input costs the same, however small: without a bound, a megabyte could be a million of them. */
const REASONABLE_PIECE = 32;

/** How many empty pieces may come at once, and how many more each second. */
const AT_ONCE = 1_000;
const PER_SECOND = 100;

/**
 * Counts the pieces (chunks, TLS records) in which input arrives: they may have any size as long as they are few, or of reasonable
 * size on average. A large piece makes up for small ones before it, not for those after it.
 */
export class SmallPieces {
  readonly #now: () => number;
  #excess = 0;
  #countedAt: number;

  /** @param now milliseconds of any clock that only goes forward */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#countedAt = now();
  }

  /** Counts one more piece. @returns whether there are still few enough */
  accept(bytes: number): boolean {
    const now = this.#now();
    const forgotten = ((now - this.#countedAt) / 1_000) * PER_SECOND;
    this.#countedAt = now;
    this.#excess = Math.max(0, Math.max(0, this.#excess - forgotten) + 1 - bytes / REASONABLE_PIECE);
    return this.#excess <= AT_ONCE;
  }
}

/** Input of more pieces than are accepted. The answer goes by its code. */
export class TooManyPieces extends Error {
  readonly code: 'SMALL_PIECES' | 'SMALL_RECORDS';

  constructor(code: TooManyPieces['code']) {
    super('There are too many small pieces.');
    this.code = code;
  }
}

const ofBodies = new WeakMap<Socket, SmallPieces>();

/** The pieces of all bodies of a connection. */
export function bodyPiecesOf(socket: Socket): SmallPieces {
  const known = ofBodies.get(socket);
  if (known !== undefined) return known;
  const pieces = new SmallPieces();
  ofBodies.set(socket, pieces);
  return pieces;
}
