import slugify from '@sindresorhus/slugify';
import anyAscii from 'any-ascii';
import { MAX_NAME_LENGTH } from './name.ts';

/** Where nothing is left of what was asked. */
const FALLBACK = 'new-branch';

/** A name has a quarter of it. Longer texts would take milliseconds; transliteration may make twenty times as much of one. */
const MAX_READ = 1_024;

/** Nothing of it is in a name. */
const LEADING = /^[\s\p{P}\p{C}]+/u;

/** The highest number that is tried behind a name that is taken. */
const LAST_NUMBER = 20;

const RANDOM_LENGTH = 8;

export interface SuggestDependencies {
  /** Which of the names open branches hold. */
  namesTaken: (names: readonly string[]) => Promise<ReadonlySet<string>>;
  /** From 0 to below 1. */
  random: () => number;
}

/**
 * A name to try instead of one that can't be used: valid, free among the open branches, in strict kebab case, and close to
 * what was asked (`Ünïcode Näme` → `unicode-name`). Takes one look-up.
 *
 * @param asked what the request had as its name; anything but text leads to a fallback
 */
export async function suggestName(asked: unknown, { namesTaken, random }: SuggestDependencies): Promise<string> {
  const name = shorten(kebab(asked), MAX_NAME_LENGTH) || FALLBACK;
  const candidates = [name];
  for (let number = 2; number <= LAST_NUMBER; number += 1) candidates.push(withSuffix(name, String(number)));
  const taken = await namesTaken(candidates);
  // One of 36⁸ is as good as free without another look-up.
  return candidates.find((candidate) => !taken.has(candidate)) ?? withSuffix(name, randomSuffix(random));
}

function kebab(asked: unknown): string {
  if (typeof asked !== 'string') return '';
  return slugify(anyAscii(asked.replace(LEADING, '').slice(0, MAX_READ)).slice(0, MAX_READ));
}

/** Cuts at the end of a word, unless that would cost more than half of the name. */
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
