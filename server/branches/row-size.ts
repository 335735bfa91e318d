import type { BranchRow } from './tables.ts';

/** What a branch takes beside its collaborators, roughly. */
const OTHER_CHARACTERS = 400;

/** How many characters a branch takes in an answer, roughly: what it costs to read and show it. */
export function rowSize({ collaborators }: BranchRow): number {
  return OTHER_CHARACTERS + collaborators.length;
}
