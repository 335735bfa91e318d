import type { components } from '../generated/types.ts';
import { HOUR_MS, toDay } from '../inspector/hours.ts';
import { listOf, parseStored, withFields } from '../storage/stored-json.ts';
import type { ApiKeyRow } from './tables.ts';

export type Library = components['schemas']['BatchLibrary'];

/** A version of the Inspector library, and the time of its last batch. */
export interface LibraryUse extends Library {
  lastUsedAt: number;
}

/** The use of an API key. */
export interface KeyUse {
  lastUsedAt: number;
  /** `2026-01-02`, UTC: the day of the counted batches; empty before the first one. */
  day: string;
  batches: number;
  /** Latest first. */
  libraries: readonly LibraryUse[];
}

/** The columns that store it. */
export type KeyUseColumns = Pick<ApiKeyRow, 'last_used_at' | 'batch_day' | 'batches' | 'libraries'>;

/** The number of library versions stored per key, the contract's maximum. */
const MOST_LIBRARIES = 10;

/** Merges two uses. If the days differ, the later one counts. */
export function mergeKeyUse(a: KeyUse, b: KeyUse): KeyUse {
  const day = a.day > b.day ? a.day : b.day;
  const batchesOn = (use: KeyUse): number => (use.day === day ? use.batches : 0);
  return {
    lastUsedAt: Math.max(a.lastUsedAt, b.lastUsedAt),
    day,
    batches: batchesOn(a) + batchesOn(b),
    libraries: mergeLibraries(a.libraries, b.libraries),
  };
}

/** A time that is further ahead was noted by a clock that was wrong: those of servers agree to a second or so. In milliseconds. */
export const AHEAD_MS = HOUR_MS;

/** What a clock that was ahead has counted, taken back so that it neither hides nor outlives what comes after it. */
export function takeBack(use: KeyUse, now: number): KeyUse {
  const takeTime = (at: number): number => (at > now + AHEAD_MS ? now - AHEAD_MS : at);
  const isOfLaterDay = use.day > toDay(now + AHEAD_MS);
  return {
    lastUsedAt: takeTime(use.lastUsedAt),
    day: isOfLaterDay ? '' : use.day,
    batches: isOfLaterDay ? 0 : use.batches,
    libraries: use.libraries.map((library) => ({ ...library, lastUsedAt: takeTime(library.lastUsedAt) })),
  };
}

/**
 * Reads a key's stored use; undefined if it was never used.
 *
 * @throws UnreadableValue
 */
export function storedKeyUse({ last_used_at, batch_day, batches, libraries }: KeyUseColumns): KeyUse | undefined {
  if (last_used_at === null) return undefined;
  return { lastUsedAt: last_used_at, day: batch_day ?? '', batches, libraries: parseLibraries(libraries) };
}

const isLibraries = listOf(
  withFields<LibraryUse>({ name: 'string', version: 'string', platform: 'string', lastUsedAt: 'number' }),
);

function parseLibraries(text: string): readonly LibraryUse[] {
  return parseStored('api_keys.libraries', text, isLibraries);
}

export function keyUseColumns({ lastUsedAt, day, batches, libraries }: KeyUse): KeyUseColumns {
  return { last_used_at: lastUsedAt, batch_day: day, batches, libraries: JSON.stringify(libraries) };
}

/** Apps use few library versions; made-up ones replace the least recently used. */
function mergeLibraries(some: readonly LibraryUse[], others: readonly LibraryUse[]): readonly LibraryUse[] {
  if (some.length === 0 || others.length === 0) return some.length === 0 ? others : some;
  const merged = new Map<string, LibraryUse>();
  for (const library of [...some, ...others]) {
    const key = JSON.stringify([library.name, library.version, library.platform]);
    const known = merged.get(key);
    if (known === undefined || known.lastUsedAt < library.lastUsedAt) merged.set(key, library);
  }
  return [...merged.values()].toSorted((a, b) => b.lastUsedAt - a.lastUsedAt).slice(0, MOST_LIBRARIES);
}
