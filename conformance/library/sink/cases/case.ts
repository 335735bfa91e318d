import type { Recording } from '../recording.ts';
import { type CaseOutcome, skip } from '../outcome.ts';

/** Something that is judged of a client library. */
export interface LibraryCase {
  /** Stable and readable: `batching/size`. */
  readonly id: string;
  readonly clauses: readonly [string, ...string[]];
  readonly title: string;
  /** The phase that it is about; left out, it looks at all of them. */
  readonly phase?: string;
  readonly judge: (recordings: readonly Recording[]) => CaseOutcome;
}

/** A case that a phase's script judges itself. */
export function script(phase: string, id: string, clauses: readonly [string, ...string[]], title: string): LibraryCase {
  return { id, clauses, title, phase, judge: ([recording]) => findOutcome(recording, id) };
}

function findOutcome(recording: Recording | undefined, id: string): CaseOutcome {
  if (recording?.environment === undefined) return skip('Needs a driver: --driver.');
  return recording.outcomes.get(id) ?? recording.ending ?? skip('The phase came to no verdict.');
}
