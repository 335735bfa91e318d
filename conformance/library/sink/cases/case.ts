import type { Recording } from '../recording.ts';
import { type Verdict, skipped } from '../outcome.ts';

/** Something that is judged of a client library. */
export interface LibraryCase {
  /** Stable and readable: `batching/size`. */
  readonly id: string;
  readonly clauses: readonly [string, ...string[]];
  readonly title: string;
  /** The phase that it is about; left out, it looks at all of them. */
  readonly phase?: string;
  readonly judge: (recordings: readonly Recording[]) => Verdict;
}

/** A case that a phase's script judges itself. */
export function scripted(
  phase: string,
  id: string,
  clauses: readonly [string, ...string[]],
  title: string,
): LibraryCase {
  return { id, clauses, title, phase, judge: ([recording]) => verdictOf(recording, id) };
}

function verdictOf(recording: Recording | undefined, id: string): Verdict {
  if (recording?.environment === undefined) return skipped('Needs a driver: --driver.');
  return recording.verdicts.get(id) ?? recording.ending ?? skipped('The phase came to no verdict.');
}
