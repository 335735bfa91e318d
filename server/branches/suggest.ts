import { MAX_NAME_LENGTH } from './name.ts';

/** Used if nothing is left of the requested name. */
const FALLBACK = 'new-branch';

/** Names have a quarter of this. Longer texts would take milliseconds; transliteration can make one twenty times as long. */
const MAX_READ = 1_024;

/** Characters that are removed. */
const LEADING = /^[\s\p{P}\p{C}]+/u;

/** The highest number tried after a taken name. */
const LAST_NUMBER = 20;

const RANDOM_LENGTH = 8;

export interface SuggestDependencies {
  /** Returns the names that open branches hold. */
  namesTaken: (names: readonly string[]) => Promise<ReadonlySet<string>>;
  /** From 0 to below 1. */
  random: () => number;
}

/**
 * Suggests a name instead of an invalid or taken one: valid, free among the open branches, in strict kebab case, and close to
 * the requested name (`Ünïcode Näme` → `unicode-name`). Takes one look-up.
 *
 * @param asked the requested name; anything but text gives a fallback
 */
export async function suggestName(asked: unknown, { namesTaken, random }: SuggestDependencies): Promise<string> {
  const name = shorten(await kebab(asked), MAX_NAME_LENGTH) || FALLBACK;
  const candidates = [name];
  for (let number = 2; number <= LAST_NUMBER; number += 1) candidates.push(withSuffix(name, String(number)));
  const taken = await namesTaken(candidates);
  // One of 36⁸ random names is practically free without another look-up.
  return candidates.find((candidate) => !taken.has(candidate)) ?? withSuffix(name, randomSuffix(random));
}

/** Loaded with the first name that needs it: its tables would take a start some hundredths of a second. */
function transliteration() {
  return Promise.all([import('@sindresorhus/slugify'), import('any-ascii')]);
}

async function kebab(asked: unknown): Promise<string> {
  if (typeof asked !== 'string') return '';
  const [{ default: slugify }, { default: anyAscii }] = await transliteration();
  return slugify(anyAscii(asked.replace(LEADING, '').slice(0, MAX_READ)).slice(0, MAX_READ));
}

/** Cuts at a word boundary, unless that would remove more than half of the name. */
function shorten(name: string, length: number): string {
  if (name.length <= length) return name;
  const wordEnd = name.lastIndexOf('-', length);
  return name.slice(0, wordEnd > length / 2 ? wordEnd : length);
}

function withSuffix(name: string, suffix: string): string {
  return `${shorten(name, MAX_NAME_LENGTH - 1 - suffix.length)}-${suffix}`;
}

function randomSuffix(random: () => number): string {
  return Math.floor(random() * 36 ** RANDOM_LENGTH)
    .toString(36)
    .padStart(RANDOM_LENGTH, '0');
}
