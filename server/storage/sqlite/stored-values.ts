import type { StatementColumnMetadata } from 'node:sqlite';
import { isStoredNumber, UnreadableValue } from '../unreadable-value.ts';

/** By declared type. SQLite keeps values of any type in any column, where another program writes them. */
const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  bigint: isStoredNumber,
  integer: isStoredNumber,
  'double precision': isStoredNumber,
  blob: (value) => value instanceof Uint8Array,
};

interface CheckedColumn {
  /** As in the rows. */
  name: string;
  isOfKind: (value: unknown) => boolean;
  /** With its table. */
  column: string;
}

/** What a statement gives of columns of tables. Results of expressions are not checked. */
export class StoredValues {
  readonly #columns: readonly CheckedColumn[];

  constructor(columns: readonly StatementColumnMetadata[]) {
    this.#columns = columns.flatMap(({ name, type, table, column }) => {
      const isOfKind = type === null ? undefined : KINDS[type.toLowerCase()];
      return isOfKind === undefined ? [] : [{ name, isOfKind, column: `${table}.${column}` }];
    });
  }

  /** @throws UnreadableValue when one is of another type than its column, or a number that no server stores */
  check(row: Readonly<Record<string, unknown>>): void {
    for (const { name, isOfKind, column } of this.#columns) {
      const value = row[name];
      if (value !== null && !isOfKind(value)) throw new UnreadableValue(column);
    }
  }

  /**
   * Reads by a function that Node may have throw at a whole number which JavaScript has none for.
   *
   * @throws UnreadableValue in place of that
   */
  read<Rows>(read: () => Rows): Rows {
    try {
      return read();
    } catch (error) {
      if (!isOutOfRange(error)) throw error;
      const numbers = this.#columns.filter(({ isOfKind }) => isOfKind === isStoredNumber);
      throw new UnreadableValue(numbers.map(({ column }) => column).join(' or ') || 'a sum');
    }
  }
}

function isOutOfRange(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}
