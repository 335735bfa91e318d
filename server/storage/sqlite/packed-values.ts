import type { SQLInputValue } from 'node:sqlite';

/**
 * Values as they cross from thread to thread. Bytes stand all in one piece, and `undefined` where each belongs: as pieces of their
 * own they would cost more than all else.
 */
export interface PackedValues {
  values: unknown[];
  /** Of each piece, in bytes. */
  lengths: number[];
  /** Left out where there are none. */
  bytes?: Uint8Array;
}

/** Rows that have the same columns. */
export interface PackedRows extends PackedValues {
  columns: string[];
}

/** @param given text, numbers, null and bytes */
export function packValues(given: readonly unknown[]): PackedValues {
  const pieces: Uint8Array[] = [];
  const values = given.map((value) => {
    if (!(value instanceof Uint8Array)) return value;
    pieces.push(value);
    return undefined;
  });
  return pieces.length === 0 ? { values, lengths: [] } : { values, ...joinPieces(pieces) };
}

export function unpackValues({ values, lengths, bytes }: PackedValues): SQLInputValue[] {
  let at = 0;
  let piece = 0;
  return values.map((value) => {
    if (value !== undefined) return value as SQLInputValue;
    const begin = at;
    at += lengths[piece] ?? 0;
    piece += 1;
    return bytes?.subarray(begin, at) ?? null;
  });
}

export function packRows(rows: readonly Record<string, unknown>[]): PackedRows {
  return { columns: Object.keys(rows[0] ?? {}), ...packValues(rows.flatMap((row) => Object.values(row))) };
}

export function unpackRows({ columns, ...packed }: PackedRows): Record<string, unknown>[] {
  const values = unpackValues(packed);
  return Array.from({ length: values.length / (columns.length || 1) }, (_, row) => {
    const first = row * columns.length;
    return Object.fromEntries(columns.map((column, index) => [column, values[first + index]]));
  });
}

function joinPieces(pieces: readonly Uint8Array[]): Pick<PackedValues, 'lengths' | 'bytes'> {
  const lengths = pieces.map(({ length }) => length);
  // Not a part of what Node keeps for small buffers, all of which would cross with it.
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return { lengths, bytes };
}
