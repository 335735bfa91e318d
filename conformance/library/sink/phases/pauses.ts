import { MAX_BACKOFF_SECONDS } from '../timing.ts';

/** How many pauses it takes to see whether they grow. */
export const ENOUGH_PAUSES = 4;
const EARLY = 2;
const GROWTH = 1.5;
const LEAST_SECONDS = 0.1;

/**
 * What is wrong with the pauses between tries, in seconds. Chance may have its part in each of them: the longest of the later
 * ones is compared with the shortest of the first two.
 */
export function pausesProblem(pauses: readonly number[], marginSeconds: number): string | undefined {
  const longest = Math.max(...pauses);
  if (longest > MAX_BACKOFF_SECONDS + marginSeconds)
    return `A pause after a 503 was longer than ${MAX_BACKOFF_SECONDS} s.`;
  const later = Math.max(...pauses.slice(EARLY));
  if (later < LEAST_SECONDS) return 'There were no pauses after a 503 to speak of.';
  return later < GROWTH * Math.min(...pauses.slice(0, EARLY)) ? 'The pauses after a 503 do not grow.' : undefined;
}
