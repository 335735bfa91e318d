import { randomInt } from 'node:crypto';

/** So that nobody can tell what has the same hash. */
const seed = randomInt(2 ** 31);

/**
 * Whether no value is twice in a list, as JSON Schema means it: the order of keys makes no difference. To compare each with each would
 * take the square of the time for a list of many, so those alone are that have the same hash, and they by what is written of them.
 */
export function areUnique(items: readonly unknown[]): boolean {
  const mask = 2 ** Math.ceil(Math.log2(items.length + 1) + 1) - 1;
  const hashes = new Int32Array(items.length);
  /** The number of the first item of a hash, from one, at the place that the hash says, or the next that was free. */
  const firsts = new Int32Array(mask + 1);
  const texts = new Set<string>();
  for (let index = 0; index < items.length; index += 1) {
    const hash = hashValue(items[index]);
    hashes[index] = hash;
    let place = hash & mask;
    while (firsts[place] !== 0 && hashes[(firsts[place] ?? 0) - 1] !== hash) place = (place + 1) & mask;
    const first = firsts[place] ?? 0;
    if (first === 0) {
      firsts[place] = index + 1;
      continue;
    }
    const text = writeSorted(items[index]);
    if (texts.add(writeSorted(items[first - 1])).has(text)) return false;
    texts.add(text);
  }
  return true;
}

/** The same for equal values. */
function hashValue(value: unknown): number {
  if (typeof value === 'string') return hashText(value);
  if (typeof value !== 'object' || value === null) return hashScalar(value);
  let hash = seed;
  if (Array.isArray(value)) {
    for (const item of value) hash = mix(hash, hashValue(item));
    return hash;
  }
  const members = value as Record<string, unknown>;
  // A sum is the same in whatever order its terms are.
  for (const key in members) hash = (hash + mix(hashText(key), hashValue(members[key]))) | 0;
  return hash;
}

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);

function hashScalar(value: unknown): number {
  // Zero has two signs, and is one value.
  double[0] = Number(value) + 0;
  return mix(mix(seed + (typeof value).length, words[0] ?? 0), words[1] ?? 0);
}

function hashText(text: string): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mix(hash, text.length);
}

function mix(hash: number, more: number): number {
  const mixed = Math.imul(hash ^ more ^ (more >>> 15), 0x85ebca6b);
  return Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) ^ (hash >>> 16);
}

/** JSON with the keys of each object in their order, so that equal values have the same text. */
function writeSorted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writeSorted).join()}]`;
  const members = value as Record<string, unknown>;
  const written = Object.keys(members)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${writeSorted(members[key])}`);
  return `{${written.join()}}`;
}
