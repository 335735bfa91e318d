import { foldCase } from '../fold-case.ts';
import { boundedKey } from '../keys.ts';

/**
 * So many marks in a row before a further one. To normalize a text orders them, at the cost of the square of their number, so after
 * these there is a joiner, past which none is moved: no language has as many (Unicode's stream-safe text, UAX #15, D4).
 */
const MOST_MARKS = 30;
const JOINER = '\u034F';
const MARKS = /[\p{M}--\u{34F}]+/gv;
const MANY_MARKS = new RegExp(`.{${MOST_MARKS}}(?=.)`, 'gsu');

/** Folds a name so that it equals all names that differ only by case and separators. */
function foldedName(name: string): string {
  const normalized = name
    .replaceAll(MARKS, (run) => (run.length <= MOST_MARKS ? run : run.replaceAll(MANY_MARKS, `$&${JOINER}`)))
    .normalize('NFKC');
  const folded = foldCase(normalized).replaceAll(/[\s_\-.:/]+/gu, '');
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
