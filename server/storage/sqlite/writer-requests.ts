import type { PackedRows, PackedValues } from './packed-values.ts';

/** A statement with its parameters. */
export interface WriterStatement extends PackedValues {
  sql: string;
}

/** How many rows the statements before it in the message must have given, or else what comes after it is not run. */
export interface WriterCondition {
  rows: number;
}

/** The code of a condition that was not met. */
export const OTHER_ROWS = 'OTHER_ROWS';

/** What the thread that writes is asked to do; a message has one or more, which it does in their order until one fails. */
export type WriterRequest = WriterStatement | WriterCondition | 'begin' | 'commit' | 'rollback' | 'close';

/** What it answers, once for each request and in their order; those of one message come together. Of a commit: all changes. */
export type WriterReply = { result: { rows?: PackedRows; changes: number } } | { error: WriterFailure };

/** Why a request failed; `errcode` is SQLite's. */
export interface WriterFailure {
  message: string;
  code: string | undefined;
  errcode: number | undefined;
  /** The column of a value that can't be read. */
  unreadable: string | undefined;
}
