import type { ComponentChildren } from 'preact';
import type { Reading } from '../client/reading.ts';
import { Loading } from './loading.tsx';
import { Pager } from './pager.tsx';
import { ProblemNotice } from './problem-notice.tsx';
import { type Column, Table } from './table.tsx';

interface ListProps<Row, Content extends { nextCursor: string | null }> {
  caption: string;
  reading: Reading<Content>;
  rowsOf: (content: Content) => readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** Shown if the list is empty. */
  empty: ComponentChildren;
  /** The label of the link to the next page. */
  next?: string | undefined;
}

/** A page of a list as a table, with its loading, empty and error states. */
export function List<Row, Content extends { nextCursor: string | null }>(props: ListProps<Row, Content>) {
  const { caption, reading, rowsOf, columns, keyOf, empty, next } = props;
  const { content, problem, busy } = reading;
  // A refused filter has no rows; the previous ones would be taken for its own.
  const isRefused = problem?.status === 400;
  const rows = content === undefined || isRefused ? [] : rowsOf(content);
  return (
    <>
      <ProblemNotice problem={problem} retries />
      {content === undefined && problem === undefined && <Loading />}
      {rows.length > 0 && <Table caption={caption} columns={columns} rows={rows} keyOf={keyOf} busy={busy} />}
      {content !== undefined && !isRefused && rows.length === 0 && empty}
      <Pager nextCursor={content?.nextCursor} next={next} />
    </>
  );
}
