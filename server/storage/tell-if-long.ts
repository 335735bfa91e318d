/** In milliseconds. */
const LONG_MS = 1_000;

/** Tells once, while work is under way, when it has taken a second. */
export async function tellIfLong<Result>(tell: () => void, work: () => PromiseLike<Result>): Promise<Result> {
  const timer = setTimeout(tell, LONG_MS);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
