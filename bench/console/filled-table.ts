export type Value = string | number | null;

/** A table, and what is to be in it, in the order of its key. The rows are made one by one, since all would not fit into memory. */
export interface FilledTable {
  name: string;
  columns: readonly string[];
  rows: () => Iterable<readonly Value[]>;
}

export function* each(count: number, row: (index: number) => readonly Value[]): Iterable<readonly Value[]> {
  for (let index = 0; index < count; index += 1) yield row(index);
}

export function* eachOf(
  count: number,
  inner: number,
  row: (index: number, innerIndex: number) => readonly Value[],
): Iterable<readonly Value[]> {
  for (let index = 0; index < count; index += 1) yield* each(inner, (innerIndex) => row(index, innerIndex));
}

export function* eachIn<One>(
  count: number,
  ones: readonly One[],
  row: (index: number, one: One) => readonly Value[],
): Iterable<readonly Value[]> {
  for (let index = 0; index < count; index += 1) for (const one of ones) yield row(index, one);
}
