import { ELEMENTS } from '../event-schema.ts';
import type { PlaceProfile, PropertyCounts } from './place-profile.ts';

/** How many events must have been expected where none came, so that it is no chance. */
const LEAST_EXPECTED = 50;

/** From how many events on, and how many of another source's, a source is taken for the same app on another platform. */
const LEAST_EVENTS = 10;
const LEAST_SHARED = 0.8;

/** The keys of the events that an app version does not send, going by another's shares. */
export function wantingEvents(judged: PlaceProfile, other: PlaceProfile): string[] {
  return [...other.events.values()]
    .filter(({ event_key, count }) => {
      const expected = (count / other.count) * judged.count;
      return !judged.events.has(event_key) && expected >= LEAST_EXPECTED;
    })
    .map(({ event_key }) => event_key);
}

/** Whether two sources send so much of the same that a whole event is missed. */
export function areAlike(judged: PlaceProfile, other: PlaceProfile): boolean {
  const shared = [...other.events.keys()].filter((key) => judged.events.has(key)).length;
  return judged.events.size >= LEAST_EVENTS && shared >= LEAST_SHARED * other.events.size;
}

/** The paths of the properties that an event does not have, going by another's shares; of nested ones only the outermost. */
export function wantingProperties(judged: PropertyCounts, other: PropertyCounts): string[][] {
  if (!judged.isWhole) return [];
  const wanting = new Set(
    [...other.counts]
      .filter(([path, count]) => {
        const expected = (count / other.count) * judged.count;
        return !judged.counts.has(path) && expected >= LEAST_EXPECTED;
      })
      .map(([path]) => path),
  );
  return [...wanting]
    .map((path): string[] => JSON.parse(path))
    .filter((path) => !wanting.has(JSON.stringify(above(path))));
}

/** The path of the object around a property. */
function above(path: readonly string[]): readonly string[] {
  const around = path.slice(0, -1);
  while (around.at(-1) === ELEMENTS) around.pop();
  return around;
}
