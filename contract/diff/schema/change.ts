import { isObject } from '../../pointers.ts';
import type { Effect } from '../levels.ts';
import type { PlacedChange, PropertyChange } from './changes.ts';
import type { View } from './view.ts';

/** One thing that two versions of a schema do not have in common. */
export interface SchemaChange {
  name: PlacedChange | PropertyChange;
  /** Where it is another than that of its name. */
  effect?: Effect;
  sentence: string;
  /** The document in which it is to be shown: the old one where the new one has nothing to show. */
  side: 'old' | 'new';
  /** Where it stands there. */
  pointer: string;
}

/** Two versions of what is asked of the same value. */
export interface Pair {
  old: View;
  new: View;
}

/** A value as a person reads it in a sentence. */
export function print(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** A text that is the same for the same JSON value; the order of fields does not matter. */
export function identify(value: unknown): string | undefined {
  return JSON.stringify(value, (_field, part: unknown) =>
    isObject(part) && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** Whether two JSON values are the same; the order of fields does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || identify(a) === identify(b);
}
