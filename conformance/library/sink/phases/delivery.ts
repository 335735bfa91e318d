import { TAKEN } from '../answer.ts';
import type { Phase } from '../phase.ts';
import type { PhaseRun } from '../phase-run.ts';
import { BATCH_SIZE, FLUSH_SECONDS, TIMING } from '../timing.ts';
import { type CaseOutcome, fail, PASSED, skip } from '../outcome.ts';

/** The service does not answer until the app has tracked more. */
export const slow: Phase = {
  name: 'slow',
  environment: 'prod',
  seconds: 3,
  script: (phaseRun) => (_, index) => (index === 0 ? { kind: 'taken', held: phaseRun.release.promise } : TAKEN),
  run: async (phaseRun) => {
    await phaseRun.start();
    // The very call that makes a batch full may wait for its answer, or those that come while it is under way.
    const isFree = (await tracksFreely(phaseRun)) && (await phaseRun.attempted(1, FLUSH_SECONDS + TIMING.margin));
    const isStillFree = isFree && (await tracksFreely(phaseRun));
    phaseRun.release.resolve();
    await phaseRun.delivered();
    phaseRun.recording.isComplete = true;
    phaseRun.judge('host/not-blocked', phaseRun.attempts.length === 0 ? NOTHING_SENT : isStillFree ? PASSED : BLOCKED);
  },
};

const NOTHING_SENT = skip('Nothing was sent.');
const BLOCKED = fail(
  `While a request was not answered, ${BATCH_SIZE} calls to track an event did not end within ${TIMING.calls} s.`,
);

/** Whether calls to track end while an answer is held back; where they do not, it is held no longer. */
async function tracksFreely(phaseRun: PhaseRun): Promise<boolean> {
  const tracking = phaseRun.track(BATCH_SIZE);
  const isFree = (await phaseRun.isDoneWithin(tracking, TIMING.calls)) || phaseRun.attempts.length === 0;
  if (!isFree) phaseRun.release.resolve();
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
  run: async (phaseRun) => {
    await phaseRun.start();
    await phaseRun.track(BATCH_SIZE);
    await phaseRun.answered(1);
    await phaseRun.track(BATCH_SIZE);
    await phaseRun.delivered();
    await phaseRun.settle();
  },
};

export const sampling: Phase = {
  name: 'sampling',
  environment: 'prod',
  seconds: 7,
  script: () => () => ({ kind: 'taken', samplingRate: 0 }),
  run: async (phaseRun) => {
    await phaseRun.start();
    await phaseRun.track(BATCH_SIZE);
    if (!(await phaseRun.answered(1))) return phaseRun.judge('sampling/rate', NOTHING_SENT);
    await phaseRun.settle();
    const before = phaseRun.attempts.length;
    await phaseRun.track(BATCH_SIZE);
    const isQuiet = await phaseRun.isQuiet();
    const text = 'The receipt said a sampling rate of 0, and events that were tracked after it were sent.';
    phaseRun.judge('sampling/rate', isQuiet ? PASSED : fail(text, phaseRun.attempts.slice(before - 1)));
  },
};

const SHARE = 0.25;
const COUNTED = 400;
/** A count of independent events is further from what is expected in less than one of a million runs. */
const DEVIATIONS = 5;

/** The service wants a quarter of the events, and so many are tracked that their share can be told. */
export const samplingShare: Phase = {
  name: 'sampling-share',
  environment: 'prod',
  seconds: 8,
  script: () => () => ({ kind: 'taken', samplingRate: SHARE }),
  run: async (phaseRun) => {
    await phaseRun.start();
    await phaseRun.track(BATCH_SIZE);
    if (!(await phaseRun.answered(1))) return phaseRun.judge('sampling/share', NOTHING_SENT);
    await phaseRun.settle();
    await phaseRun.track(COUNTED);
    phaseRun.judge('sampling/share', await judgeShare(phaseRun));
  },
};

async function judgeShare(phaseRun: PhaseRun): Promise<CaseOutcome> {
  const asked = phaseRun.recording.tracked.slice(-COUNTED);
  const count = (): number => asked.filter(({ eventName }) => phaseRun.recording.isDelivered(eventName)).length;
  const spread = DEVIATIONS * Math.sqrt(COUNTED * SHARE * (1 - SHARE));
  // What makes no batch yet has not been sent.
  const least = Math.ceil(COUNTED * SHARE - spread) - BATCH_SIZE;
  const most = Math.floor(COUNTED * SHARE + spread);
  await phaseRun.recording.until(() => count() >= least, FLUSH_SECONDS + TIMING.margin);
  for (let pauses = 0; pauses < COUNTED && !(await phaseRun.isQuiet());) pauses += 1;
  if (count() >= least && count() <= most) return PASSED;
  const text = `The receipt said a sampling rate of ${SHARE}; of ${COUNTED} events that were tracked after it ${count()} were sent, which is not between ${least} and ${most}.`;
  return fail(text, phaseRun.attempts.slice(0, 2));
}

const UNSENT = 10;

/** The app is killed with a batch that failed and with events that have not been tried. */
export const killed: Phase = {
  name: 'killed',
  environment: 'prod',
  seconds: 36,
  script: (phaseRun) => () => (phaseRun.isStartedAgain ? TAKEN : { kind: 'refused', status: 502 }),
  run: async (phaseRun) => {
    await phaseRun.start();
    await phaseRun.track(BATCH_SIZE);
    await phaseRun.answered(1);
    await phaseRun.track(UNSENT);
    await phaseRun.wait(1);
    await phaseRun.kill();
    // What it had still sent is refused as before: it could not hear a receipt.
    await phaseRun.settle();
    const before = phaseRun.attempts.length;
    await phaseRun.start();
    const isTried = await phaseRun.attempted(before + 1, TIMING.firstRetry);
    const isDelivered = await phaseRun.delivered(isTried ? undefined : TIMING.prompt);
    const missing = phaseRun.recording.tracked.filter(
      ({ eventName }) => !phaseRun.recording.isDelivered(eventName),
    ).length;
    const text = `The app was killed 1 s after it had tracked its last event; ${missing} events did not come after it was started again.`;
    phaseRun.judge('restart/events', isDelivered ? PASSED : fail(text, phaseRun.attempts.slice(0, 2)));
  },
};
