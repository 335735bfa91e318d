import type { Socket } from 'node:net';

export interface PiecesBound {
  /** How many empty pieces may come at once. Defaults to 1,000. */
  atOnce?: number;
  /** How many more may come each second. Defaults to 100. */
  perSecond?: number;
  /**
   * In bytes. Defaults to 512. Each piece of input costs the same, however small: without a bound, a megabyte could be a million of
   * them.
   */
  reasonable?: number;
  /** Milliseconds of any clock that only goes forward. */
  now?: () => number;
}

/**
 * Counts the pieces (chunks, TLS records) in which input arrives: they may have any size as long as they are few, or of reasonable
 * size on average. A large piece makes up for small ones before it, not for those after it.
 */
export class SmallPieces {
  readonly #atOnce: number;
  readonly #perSecond: number;
  readonly #reasonable: number;
  readonly #now: () => number;
  #excess = 0;
  #countedAt: number;

  constructor({ atOnce = 1_000, perSecond = 100, reasonable = 512, now = () => performance.now() }: PiecesBound = {}) {
    this.#atOnce = atOnce;
    this.#perSecond = perSecond;
    this.#reasonable = reasonable;
    this.#now = now;
    this.#countedAt = now();
  }

  /** Counts one more piece. @returns whether there are still few enough */
  accept(bytes: number): boolean {
    const now = this.#now();
    const forgotten = ((now - this.#countedAt) / 1_000) * this.#perSecond;
    this.#countedAt = now;
    this.#excess = Math.max(0, Math.max(0, this.#excess - forgotten) + 1 - bytes / this.#reasonable);
    return this.#excess <= this.#atOnce;
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
