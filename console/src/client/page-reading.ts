import { place } from '../navigation/place.ts';
import { type Reading, useReading } from './reading.ts';

/** Reads the page of a list that the address names. */
export function usePage<Content>(
  workspaceId: string,
  read: (query: { cursor?: string }, signal: AbortSignal) => Promise<Content>,
): Reading<Content> {
  const cursor = place.value.query.get('cursor');
  return useReading(JSON.stringify([workspaceId, cursor]), (signal) => read(cursor === null ? {} : { cursor }, signal));
}
