import { boundedKey } from '../keys.ts';

/** Folds a name so that it equals all names that differ only by case and separators. */
function foldedName(name: string): string {
  const folded = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_\-.:/]+/gu, '');
  return folded === '' ? name : folded;
}

/** Returns the key of an event's name among all events. */
export function foldedEventKey(eventName: string): string {
  return boundedKey(foldedName(eventName));
}

/** Returns the key of a property's name among its siblings: the names above it are unchanged. */
export function foldedPathKey(path: readonly string[]): string {
  return boundedKey(JSON.stringify([...path.slice(0, -1), foldedName(path.at(-1) ?? '')]));
}
