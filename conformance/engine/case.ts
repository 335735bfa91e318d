import type { Level } from './result.ts';
import type { Trial } from '../service/context.ts';

/** Something that not every run has; without it a case is skipped with the reason. */
export type Need = 'second account' | 'second workspace' | 'seeding' | 'api key' | 'profile';

/** What is tried, and what it shows. */
export interface SuiteCase {
  /** Stable and readable: `conflicts/open-name`. */
  readonly id: string;
  /** Ids of clauses, all of this case's level. */
  readonly clauses: readonly [string, ...string[]];
  readonly level: Level;
  readonly title: string;
  readonly needs?: readonly Need[];
  /** Requests of each lane, for the estimate of the time that a paced run takes. */
  readonly cost: Readonly<Record<string, number>>;
  /** `first` runs before all others and by itself, `last` after them. */
  readonly when?: 'first' | 'last';
  /** @returns of an observed case, what was seen. */
  readonly run: (trial: Trial) => Promise<string | void>;
}

/** Ends a case that can't be run. */
export class Skipped extends Error {}

/** Ends an observed case in which nothing could be seen. */
export class NotObserved extends Error {}

/** Ends a case that has failed. Its problems are with the trial. */
export class Failed extends Error {}
