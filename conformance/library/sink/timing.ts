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
  /** The first try after a failure comes within it: 30 s (clause INSPECTOR-PROFILE-RETRY-1), and a margin. */
  firstRetry: 35,
  /** A wait is told of when it has lasted so long. */
  told: 10,
};

/** The longest pause between two tries (the contract's `x-branchline-inspector`, `retry.maxBackoffSeconds`). */
export const MAX_BACKOFF_SECONDS = 300;

/** How long any later try is waited for, unless the run says otherwise: the longest pause, and a little more. */
export const RETRY_WAIT_SECONDS = MAX_BACKOFF_SECONDS + 10;

/** Documented for production. */
export const BATCH_SIZE = 30;
export const FLUSH_SECONDS = 30;
