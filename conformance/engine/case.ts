import type { CaseContext } from './case-context.ts';
import type { Level } from './result.ts';

/** Something that is tried, and what it shows. Sources of cases differ in the context that their cases run in. */
export interface ConformanceCase<Context extends CaseContext = CaseContext> {
  /** Stable and readable: `conflicts/open-name`. */
  readonly id: string;
  /** Ids of clauses, all of this case's level; none for a case that only a contract demands. */
  readonly clauses: readonly string[];
  readonly level: Level;
  readonly title: string;
  /** `first` runs before all others and by itself, `last` after them. */
  readonly when?: 'first' | 'last';
  /** @returns of an observed case, what was seen. */
  readonly run: (context: Context) => Promise<string | void>;
}

/** Ends a case that can't be run; the message is the reason. */
export class Skipped extends Error {}

/** Ends an observed case in which nothing could be seen; the message is the reason. */
export class NotObserved extends Error {}

/** Ends a case that has failed. Its problems are in its context. */
export class Failed extends Error {}
