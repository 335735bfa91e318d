import { pauseAfter, takeTurn } from '@branchline/runtime';
import { ELEMENTS } from '../event-schema.ts';
import type { PlaceProfile, PropertyCounts } from './place-profile.ts';

/** The minimum number of expected events before their absence is reported, to exclude chance. */
const LEAST_EXPECTED = 50;

/** The minimum events, and share of another source's events, that make a source the same app on another platform. */
const LEAST_EVENTS = 10;
const LEAST_SHARED = 0.8;

/** Returns the keys of the events that an app version should send, judging by another's shares, but does not. */
export function wantingEvents(judged: PlaceProfile, other: PlaceProfile): string[] {
  return [...other.events.values()]
    .filter(({ event_key, count }) => {
      const expected = (count / other.count) * judged.count;
      return !judged.events.has(event_key) && expected >= LEAST_EXPECTED;
    })
    .map(({ event_key }) => event_key);
}

/** Whether two sources overlap enough for a whole event to count as missing. */
export function areAlike(judged: PlaceProfile, other: PlaceProfile): boolean {
  const shared = [...other.events.keys()].filter((key) => judged.events.has(key)).length;
  return judged.events.size >= LEAST_EVENTS && shared >= LEAST_SHARED * other.events.size;
}

/** In characters of paths: to look so many up, or to parse them, takes up to a millisecond. */
const PIECE = 65_536;

/**
 * The paths of the properties that an event should have, judging by another's shares; of nested ones only the outermost. In turns: an
 * event may have had thousands.
 */
export async function* wantingProperties(
  workspaceId: string,
  judged: PropertyCounts,
  other: PropertyCounts,
): AsyncGenerator<string[]> {
  if (!judged.isWhole) return;
  const pause = pauseAfter(PIECE, () => takeTurn(workspaceId));
  const wanting = new Set<string>();
  for (const [path, count] of other.counts) {
    await pause(path.length);
    const expected = (count / other.count) * judged.count;
    if (!judged.counts.has(path) && expected >= LEAST_EXPECTED) wanting.add(path);
  }
  for (const text of wanting) {
    await pause(text.length);
    const path: string[] = JSON.parse(text);
    if (!wanting.has(JSON.stringify(above(path)))) yield path;
  }
}

/** Returns the path of the object that contains a property; empty for one of the event itself. */
export function above(path: readonly string[]): readonly string[] {
  const around = path.slice(0, -1);
  while (around.at(-1) === ELEMENTS) around.pop();
  return around;
}
