/** What SQLite sums up of its log and of the index of that, in two sums ("Checksum Algorithm", sqlite.org/fileformat2.html). */
export type Sums = readonly [number, number];

export const NO_SUMS: Sums = [0, 0];

/**
 * Goes on with sums from one place to another, a multiple of eight bytes. Words are six times as fast as a `DataView`, and all that is
 * written passes here.
 */
export function sumUp(words: Int32Array, from: number, to: number, [first, second]: Sums): Sums {
  for (let at = from / WORD_BYTES; at < to / WORD_BYTES; at += 2) {
    first = (first + (words[at] ?? 0) + second) | 0;
    second = (second + (words[at + 1] ?? 0) + first) | 0;
  }
  return [first >>> 0, second >>> 0];
}

const WORD_BYTES = 4;
