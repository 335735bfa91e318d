import { createHash, randomInt } from 'node:crypto';

/** The seeds that a run takes by itself are below this. */
const SEEDS = 2 ** 32;

/** What a run chooses by chance: all of it follows from one number, and from what it is for, whatever comes first. */
export class Chance {
  readonly seed: number;

  /** @param seed - left out: itself by chance. */
  constructor(seed: number = randomInt(SEEDS)) {
    this.seed = seed;
  }

  /** So many lower-case letters and digits, at most 32. */
  text(purpose: string, length: number): string {
    const digits = BigInt(`0x${this.#hash(purpose).toString('hex')}`).toString(36);
    return digits.slice(-length);
  }

  /** A UUID of version 8 (RFC 9562, 5.8). */
  uuid(purpose: string): string {
    const hash = this.#hash(purpose).subarray(0, 16);
    hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
    hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
    return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  #hash(purpose: string): Buffer {
    return createHash('sha256').update(`${this.seed} ${purpose}`).digest();
  }
}
