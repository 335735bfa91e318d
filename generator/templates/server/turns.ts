/** A piece that took longer, in milliseconds, is followed by a rest. */
const SHORT_PIECE_MS = 8;

let last: Promise<void> = Promise.resolve();

/**
 * Resolves when it is the caller's turn: one caller in each turn of the event loop, in the order in which they ask. Work that
 * takes milliseconds, cut into pieces that each wait for a turn, never adds up before another request is served.
 *
 * After a piece that can't be cut smaller, the thread is left to others for as long as the piece took: a request that asks a
 * database ten times then waits for one or two such pieces, not for ten.
 */
export function takeTurn(): Promise<void> {
  const turn = last.then(nextTurnOfLoop);
  last = turn.then(rest);
  return turn;
}

function nextTurnOfLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

async function rest(): Promise<void> {
  const began = performance.now();
  await nextTurnOfLoop();
  const took = performance.now() - began;
  if (took <= SHORT_PIECE_MS) return;
  await new Promise((resolve) => {
    setTimeout(resolve, took);
  });
}
