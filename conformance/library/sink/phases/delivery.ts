import { TAKEN } from '../answer.ts';
import type { Phase } from '../phase.ts';
import type { Stage } from '../phase-run.ts';
import { BATCH_SIZE, FLUSH_SECONDS, TIMING } from '../timing.ts';
import { failed, PASSED, skipped } from '../outcome.ts';

/** The service does not answer until the app has tracked more. */
export const slow: Phase = {
  name: 'slow',
  environment: 'prod',
  seconds: 3,
  script: (stage) => (_, index) => (index === 0 ? { kind: 'taken', held: stage.release.promise } : TAKEN),
  run: async (stage) => {
    await stage.start();
    // The very call that makes a batch full may wait for its answer, or those that come while it is under way.
    const isFree = (await tracksFreely(stage)) && (await stage.attempted(1, FLUSH_SECONDS + TIMING.margin));
    const isStillFree = isFree && (await tracksFreely(stage));
    stage.release.resolve();
    await stage.delivered();
    stage.recording.isComplete = true;
    stage.judge('host/not-blocked', stage.attempts.length === 0 ? NOTHING_SENT : isStillFree ? PASSED : BLOCKED);
  },
};

const NOTHING_SENT = skipped('Nothing was sent.');
const BLOCKED = failed(
  `While a request was not answered, ${BATCH_SIZE} calls to track an event did not end within ${TIMING.calls} s.`,
);

/** Whether calls to track end while an answer is held back; where they do not, it is held no longer. */
async function tracksFreely(stage: Stage): Promise<boolean> {
  const tracking = stage.track(BATCH_SIZE);
  const isFree = (await stage.isDoneWithin(tracking, TIMING.calls)) || stage.attempts.length === 0;
  if (!isFree) stage.release.resolve();
  await tracking;
  return isFree;
}

const REJECTED = 2;

/** Two events of the first batch are rejected for good. */
export const partial: Phase = {
  name: 'partial',
  environment: 'prod',
  seconds: 4,
  script: () => (_, index) => (index === 0 ? { kind: 'taken', rejecting: REJECTED } : TAKEN),
  run: async (stage) => {
    await stage.start();
    await stage.track(BATCH_SIZE);
    await stage.answered(1);
    await stage.track(BATCH_SIZE);
    await stage.delivered();
    await stage.settle();
  },
};

export const sampling: Phase = {
  name: 'sampling',
  environment: 'prod',
  seconds: 7,
  script: () => () => ({ kind: 'taken', samplingRate: 0 }),
  run: async (stage) => {
    await stage.start();
    await stage.track(BATCH_SIZE);
    if (!(await stage.answered(1))) return stage.judge('sampling/rate', NOTHING_SENT);
    await stage.settle();
    const before = stage.attempts.length;
    await stage.track(BATCH_SIZE);
    const isQuiet = await stage.isQuiet();
    const text = 'The receipt said a sampling rate of 0, and events that were tracked after it were sent.';
    stage.judge('sampling/rate', isQuiet ? PASSED : failed(text, stage.attempts.slice(before - 1)));
  },
};

const UNSENT = 10;

/** The app is killed with a batch that failed and with events that have not been tried. */
export const killed: Phase = {
  name: 'killed',
  environment: 'prod',
  seconds: 36,
  script: (stage) => () => (stage.isStartedAgain ? TAKEN : { kind: 'refused', status: 500 }),
  run: async (stage) => {
    await stage.start();
    await stage.track(BATCH_SIZE);
    await stage.answered(1);
    await stage.track(UNSENT);
    await stage.wait(1);
    await stage.kill();
    // What it had still sent is refused as before: it could not hear a receipt.
    await stage.settle();
    await stage.start();
    const isDelivered = await stage.delivered(TIMING.retry);
    const missing = stage.recording.tracked.filter(({ eventName }) => !stage.recording.isDelivered(eventName)).length;
    const text = `The app was killed 1 s after it had tracked its last event; ${missing} events did not come after it was started again.`;
    stage.judge('restart/events', isDelivered ? PASSED : failed(text, stage.attempts.slice(0, 2)));
  },
};
