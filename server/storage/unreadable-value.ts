import { UserError } from '@branchline/command-line';

/**
 * A value in the database that can't be what was stored there: its disk has damaged it, or another program has changed it. Only what
 * needs that value fails, whereas nothing works while a `DatabaseUnavailable` is thrown.
 */
export class UnreadableValue extends UserError {
  readonly column: string;

  /** @param column with its table */
  constructor(column: string) {
    super(
      `The database holds a value that can't be read, in ${column}: it was damaged, or changed by another program. ` +
        'Restore the database from your backup.',
    );
    this.column = column;
  }
}

/** The last moment of a `Date` (ECMA-262, 21.4.1.1), in milliseconds; no count comes that far. */
const GREATEST = 8.64e15;

/** Whether a server may have stored the number. */
export function isStoredNumber(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= GREATEST;
}
