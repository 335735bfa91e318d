import type { Fared } from '../load/steady.ts';
import type { Installation } from './installation.ts';

/** What one tenant does, and whether others feel it. */
export interface Scenario {
  title: string;
  run: (installation: Installation, quick: boolean) => Promise<Outcome>;
  /** The longest that a request of a kind should take at the 99th percentile, in milliseconds. */
  targets?: Readonly<Record<string, number>>;
}

export interface Outcome {
  /** How the requests of the others fared. */
  others: Fared[];
  /** What the attack took, and whatever else there is to say about it: a column each. */
  figures: Record<string, string>;
}
