let last: Promise<void> = Promise.resolve();

/**
 * Resolves when it is the caller's turn: one caller in each turn of the event loop, in the order in which they ask. Work that
 * takes milliseconds, cut into pieces that each wait for a turn, never adds up before another request is served.
 */
export function takeTurn(): Promise<void> {
  last = last.then(
    () =>
      new Promise((resolve) => {
        setImmediate(resolve);
      }),
  );
  return last;
}
