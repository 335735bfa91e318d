/** Dash patterns that distinguish the lines of a chart without colour: lengths of dashes and gaps. */
export const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 3], [10, 3, 2, 3]];
