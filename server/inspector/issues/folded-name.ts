import { boundedKey } from '../keys.ts';

/** What a name has in common with all that differ from it by case and separators only. */
function foldedName(name: string): string {
  const folded = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_\-.:/]+/gu, '');
  return folded === '' ? name : folded;
}

/** The key of an event's name among those of all events. */
export function foldedEventKey(eventName: string): string {
  return boundedKey(foldedName(eventName));
}

/** The key of a property's name among those beside it: what is above stays as it is. */
export function foldedPathKey(path: readonly string[]): string {
  return boundedKey(JSON.stringify([...path.slice(0, -1), foldedName(path.at(-1) ?? '')]));
}
