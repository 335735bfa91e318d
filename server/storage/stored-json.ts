import { UnreadableValue } from './unreadable-value.ts';

/** Whether a value is of a kind; of large ones, as far as is cheap to know. */
export type Guard<Value> = (value: unknown) => value is Value;

/**
 * Reads a column that stores JSON. Everything that does so goes through this.
 *
 * @param column with its table, for the error
 * @throws UnreadableValue if it is not JSON, or of another kind
 */
export function parseStored<Value>(column: string, text: string, isOfKind: Guard<Value>): Value {
  const value = parse(column, text);
  if (!isOfKind(value)) throw new UnreadableValue(column);
  return value;
}

function parse(column: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableValue(column);
  }
}

/** Lists of strings. */
export const isTexts: Guard<string[]> = listOf((value) => typeof value === 'string');

export function listOf<Entry>(isEntry: Guard<Entry>): Guard<Entry[]> {
  return (value): value is Entry[] => Array.isArray(value) && value.every(isEntry);
}

/** Objects, or tuples, whose fields of these names have these types. */
export function withFields<Value extends object>(types: Readonly<Record<string, 'string' | 'number'>>): Guard<Value> {
  const fields = Object.entries(types);
  return (value): value is Value =>
    typeof value === 'object' &&
    value !== null &&
    fields.every(([name, type]) => typeof Reflect.get(value, name) === type);
}
