import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  /** Empty for a column of buttons. */
  name: string;
  cell: (row: Row) => ComponentChildren;
  /** Required if several columns have the same name. */
  key?: string;
  /** Names the row for screen readers. */
  isHeader?: boolean;
  /** Whether it needs the width of two columns. */
  isWide?: boolean;
  /** Whether its cells are numbers, which are right-aligned. */
  isNumber?: boolean;
}

interface TableProps<Row> {
  /** For screen readers; the page's heading shows the same visibly. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Whether new content is loading. */
  busy?: boolean;
}

/**
 * A table. If there is no room for all columns, each row becomes a card; the ARIA roles are explicit because browsers drop the implicit roles of
 * a table that is displayed as something else.
 */
export function Table<Row>({ caption, columns, rows, keyOf, busy = false }: TableProps<Row>) {
  return (
    <div class={`rows rows-${breadthOf(columns)}`}>
      <table role="table" aria-busy={busy}>
        <caption class="unseen">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name, key = name, isNumber = false }) => (
              <th key={key} role="columnheader" scope="col" class={isNumber ? 'number' : undefined}>
                {name === '' ? <span class="unseen">Actions</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column) => (
                <Cell key={column.key ?? column.name} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The width of all columns together, in columns; wide columns and the one with buttons count twice. */
function breadthOf<Row>(columns: readonly Column<Row>[]): 'few' | 'some' | 'more' | 'many' {
  const needed = columns.length + columns.filter(({ name, isWide = name === '' }) => isWide).length;
  if (needed > 7) return 'many';
  if (needed > 6) return 'more';
  return needed > 4 ? 'some' : 'few';
}

function Cell<Row>({
  column: { name, cell, isHeader = false, isNumber = false },
  row,
}: {
  column: Column<Row>;
  row: Row;
}) {
  if (isHeader) {
    return (
      <th role="rowheader" scope="row" data-column={name}>
        {cell(row)}
      </th>
    );
  }
  return (
    <td role="cell" data-column={name} class={isNumber ? 'number' : undefined}>
      {cell(row)}
    </td>
  );
}
