/** How long things may take, in seconds, with somebody else's library on a machine that may be busy. */
export const TIMING = {
  /** What has to happen at once happens within it. */
  prompt: 5,
  /** Nothing may happen for so long where nothing is due. */
  quiet: 5,
  /** How much later than due a timer may be. */
  margin: 5,
  /** Calls of the app may take so long, all together. */
  calls: 5,
  /** How long a library may take to notice an answer. */
  settling: 1,
  /** How long a library may wait before it tries again, and a little more. */
  retry: 310,
};

/** The longest pause between two tries (the contract's `x-branchline-inspector`, `retry.maxBackoffSeconds`). */
export const MAX_BACKOFF_SECONDS = 300;

/** Documented for production. */
export const BATCH_SIZE = 30;
export const FLUSH_SECONDS = 30;
