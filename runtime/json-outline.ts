import { randomInt } from 'node:crypto';

export const MOST_LEVELS = 64;

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** So that nobody can tell which keys have the same hash. */
const seed = randomInt(2 ** 31);

/** How many bits of its hash tell a key apart from others: so many more than there may be keys that few are taken for others. */
const HASH_BITS = 18;

/** What is to be known of JSON before it is parsed, from a look over its bytes, which may be made in several parts. */
export class JsonOutline {
  readonly #bytes: Buffer;
  readonly #large: number;
  /** Where those begin that are open. */
  readonly #open = new Uint32Array(MOST_LEVELS + 1);
  /** A bit for each hash of a key. */
  readonly #seen: Uint8Array | undefined;
  #at = 0;
  #depth = 0;
  #isInText = false;
  #hash = seed;
  #isEscaped = false;
  /** Where the last text begins and ends. */
  #textStart = 0;
  #textEnd = 0;

  levels = 0;
  /** Lists and objects. */
  containers = 0;
  /** Outside texts, each has one colon. */
  keys = 0;
  /** How many different ones these are, at least; 0 where they are not told apart. */
  names = 0;
  /** The length of the longest, in bytes. */
  longestKey = 0;
  /** Whether one of them has escape sequences. */
  escapesKeys = false;
  /** Whether as many brackets close as open, and none before. */
  isClosed = false;
  /** Where each large list or object ends, by where it begins. */
  readonly ends = new Map<number, number>();

  /**
   * @param large - The size in bytes from which on it says where lists and objects end.
   * @param tellsNamesApart - Whether it counts different keys.
   */
  constructor(bytes: Buffer, large: number, tellsNamesApart: boolean) {
    this.#bytes = bytes;
    this.#large = large;
    this.#seen = tellsNamesApart ? new Uint8Array(2 ** (HASH_BITS - 3)) : undefined;
  }

  /**
   * Looks at so many bytes more.
   *
   * @returns Whether there is nothing left to look at.
   */
  look(most: number): boolean {
    const bytes = this.#bytes;
    const end = Math.min(bytes.length, this.#at + most);
    let at = this.#at;
    for (; at < end; at += 1) {
      if (this.#isInText) {
        at = this.#lookAtText(at, end);
        continue;
      }
      switch (bytes[at]) {
        case QUOTE:
          this.#isInText = true;
          this.#textStart = at;
          this.#isEscaped = false;
          this.#hash = seed;
          break;
        case COLON:
          this.#addKey();
          break;
        case LIST:
        case OBJECT:
          this.containers += 1;
          this.#open[this.#depth] = at;
          this.#depth += 1;
          if (this.#depth > this.levels) this.levels = this.#depth;
          break;
        case LIST_END:
        case OBJECT_END:
          this.#depth -= 1;
          if (this.#depth < 0) return true;
          this.#addEnd(at);
          break;
        default:
      }
    }
    this.#at = at;
    if (at < bytes.length) return false;
    this.isClosed = this.#depth === 0;
    return true;
  }

  /** @returns where it has ended, or the last place that was looked at, which may be the first one behind an escaped character */
  #lookAtText(from: number, end: number): number {
    const bytes = this.#bytes;
    const hashes = this.#seen !== undefined;
    let hash = this.#hash;
    let at = from;
    for (; at < end; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        this.#isInText = false;
        this.#textEnd = at;
        break;
      }
      if (hashes) hash = Math.imul(hash ^ (byte ?? 0), 0x01000193);
      if (byte === BACKSLASH) {
        this.#isEscaped = true;
        at += 1;
      }
    }
    this.#hash = hash;
    return this.#isInText ? at - 1 : at;
  }

  #addKey(): void {
    this.keys += 1;
    if (this.#isEscaped) this.escapesKeys = true;
    this.longestKey = Math.max(this.longestKey, this.#textEnd - this.#textStart - 1);
    if (this.#seen === undefined) return;
    const place = this.#hash >>> (32 - HASH_BITS);
    const bit = 1 << (place & 7);
    const seen = this.#seen[place >>> 3] ?? 0;
    if ((seen & bit) !== 0) return;
    this.names += 1;
    this.#seen[place >>> 3] = seen | bit;
  }

  #addEnd(at: number): void {
    const start = this.#open[this.#depth] ?? at;
    if (at - start > this.#large) this.ends.set(start, at);
  }
}
