import { UserError } from '@branchline/command-line';

/**
 * Text in the database that can't be what was stored there: its disk has damaged it, or another program has changed it. Only what
 * needs that text fails, whereas nothing works while a `DatabaseUnavailable` is thrown.
 */
export class UnreadableText extends UserError {
  /** @param column with its table */
  constructor(column: string) {
    super(
      `The database holds text that can't be read, in ${column}: it was damaged, or changed by another program. ` +
        'Restore the database from your backup.',
    );
  }
}

/** Whether a value is of a kind; of large ones, as far as is cheap to know. */
export type Guard<Value> = (value: unknown) => value is Value;

/**
 * Reads a column that stores JSON. Everything that does so goes through this.
 *
 * @param column with its table, for the error
 * @throws UnreadableText if it is not JSON, or of another kind
 */
export function parseStored<Value>(column: string, text: string, isOfKind: Guard<Value>): Value {
  const value = parse(column, text);
  if (!isOfKind(value)) throw new UnreadableText(column);
  return value;
}

function parse(column: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableText(column);
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
