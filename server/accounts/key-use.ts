import type { components } from '../generated/types.ts';
import type { ApiKeyRow } from './tables.ts';

export type Library = components['schemas']['BatchLibrary'];

/** A version of the Inspector library, and when a batch last came from it. */
export interface LibraryUse extends Library {
  lastUsedAt: number;
}

/** What an API key was used for. */
export interface KeyUse {
  lastUsedAt: number;
  /** `2026-01-02`, UTC: the day that the batches are of; empty before the first one. */
  day: string;
  batches: number;
  /** The latest first. */
  libraries: readonly LibraryUse[];
}

/** The columns that tell of it. */
export type KeyUseColumns = Pick<ApiKeyRow, 'last_used_at' | 'batch_day' | 'batches' | 'libraries'>;

/** How many versions of the library a key remembers, which is as many as the contract lets it name. */
const MOST_LIBRARIES = 10;

/** Both uses as one. Of two days the later one counts. */
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

/** What is stored of a key's use; undefined where it never was used. */
export function storedKeyUse({ last_used_at, batch_day, batches, libraries }: KeyUseColumns): KeyUse | undefined {
  if (last_used_at === null) return undefined;
  return { lastUsedAt: last_used_at, day: batch_day ?? '', batches, libraries: JSON.parse(libraries) };
}

export function keyUseColumns({ lastUsedAt, day, batches, libraries }: KeyUse): KeyUseColumns {
  return { last_used_at: lastUsedAt, batch_day: day, batches, libraries: JSON.stringify(libraries) };
}

/** An app sends with few versions; whoever makes them up pushes out what was used longest ago. */
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
