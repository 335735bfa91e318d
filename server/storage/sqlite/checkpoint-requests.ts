/** What the thread that writes the log back is asked; `begin anew` while nobody writes. */
export type CheckpointRequest = 'write back' | 'begin anew' | 'close';

/**
 * What it answers: `kept` when a snapshot needs what is left, and whether anything was written since, `almost` when so little is left that the log can begin anew soon, with the
 * milliseconds that the last step took; `anew` when it can begin anew, and why SQLite failed.
 */
export type CheckpointReply =
  | { state: 'kept'; hasWritten: boolean }
  | { state: 'almost'; tookMs: number }
  | { state: 'anew' }
  | { state: 'failed'; reason: string };
