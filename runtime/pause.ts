/**
 * Makes a function to be called before each piece of a long work: it waits for a turn before the piece with which more than so much
 * would have been done since the last turn.
 *
 * @param most - In whatever unit the sizes of pieces are.
 * @param take - Waits for the turn.
 * @returns Takes the size of the piece that comes next.
 */
export function pauseAfter(most: number, take: () => Promise<void>): (size: number) => Promise<void> {
  let done = 0;
  return async (size) => {
    done += size;
    if (done <= most) return;
    done = size;
    await take();
  };
}
