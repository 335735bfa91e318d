import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  /** May be empty for a column of buttons. */
  name: string;
  cell: (row: Row) => ComponentChildren;
  /** Where several columns may have the same name. */
  key?: string;
  /** Names the row for screen readers. */
  isHeader?: boolean;
}

interface TableProps<Row> {
  /** For screen readers; the page's heading says it to the eye. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Whether what is shown is about to change. */
  busy?: boolean;
}

/**
 * Rows of the same kind. On a narrow screen each row becomes a card; the roles are written out since a browser forgets those of
 * a table that is displayed as something else.
 */
export function Table<Row>({ caption, columns, rows, keyOf, busy = false }: TableProps<Row>) {
  return (
    <table role="table" aria-busy={busy}>
      <caption class="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ name, key = name }) => (
            <th key={key} role="columnheader" scope="col">
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
  );
}

function Cell<Row>({ column: { name, cell, isHeader = false }, row }: { column: Column<Row>; row: Row }) {
  if (isHeader) {
    return (
      <th role="rowheader" scope="row" data-column={name}>
        {cell(row)}
      </th>
    );
  }
  return (
    <td role="cell" data-column={name}>
      {cell(row)}
    </td>
  );
}
