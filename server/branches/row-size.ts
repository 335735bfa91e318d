import type { BranchRow } from './tables.ts';

/** The approximate size of a branch without its collaborators. */
const OTHER_CHARACTERS = 400;

/** The approximate size of a branch in an answer, in characters: the cost of reading and showing it. */
export function rowSize({ collaborators }: BranchRow): number {
  return OTHER_CHARACTERS + collaborators.length;
}
