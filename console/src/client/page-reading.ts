import { place } from '../navigation/place.ts';
import { type Reading, useReading } from './reading.ts';

/**
 * Reads the page of a list given by the URL.
 *
 * @param key identifies the list
 */
export function usePage<Content>(
  key: string,
  read: (query: { cursor?: string }, signal: AbortSignal) => Promise<Content>,
): Reading<Content> {
  const cursor = place.value.query.get('cursor');
  return useReading(JSON.stringify([key, cursor]), (signal) => read(cursor === null ? {} : { cursor }, signal));
}
