/** The lines of a chart differ by these as well as by colour: lengths of strokes and gaps. */
export const DASHES: readonly (readonly number[])[] = [[], [7, 3], [2, 3], [10, 3, 2, 3]];
