import { type Answer, isReceipt, TAKEN } from '../answer.ts';
import type { Arrival } from '../captured-request.ts';
import type { Phase } from '../phase.ts';
import type { Stage } from '../phase-run.ts';
import { BATCH_SIZE, TIMING } from '../timing.ts';
import { type Verdict, failed, PASSED, saw, skipped } from '../outcome.ts';
import { ENOUGH_PAUSES, pausesProblem } from './pauses.ts';

const FAILURES = 5;

/** The service is not available, five times in a row. */
export const unavailable: Phase = {
  name: 'unavailable',
  environment: 'prod',
  seconds: 20,
  script: () => first(FAILURES, { kind: 'refused', status: 503 }),
  run: async (stage) => {
    await stage.start();
    await stage.track(BATCH_SIZE);
    await stage.answered(1);
    for (let tries = 2; tries <= FAILURES + 1; tries += 1) {
      if (!(await stage.answered(tries, TIMING.retry))) break;
    }
    stage.judge('retry/unavailable', await cameAgain(stage, '503'));
    const { backoff, seen } = pauses(stage);
    stage.judge('retry/backoff', backoff);
    stage.judge('observed/failures', seen);
  },
};

export const reset = failing('reset', { kind: 'reset' }, 'a connection that was reset');
export const truncated = failing('truncated', { kind: 'taken', truncated: true }, 'half a receipt');

/** A first answer that leaves open whether the batch was taken. */
function failing(name: string, answer: Answer, after: string): Phase {
  return {
    name,
    environment: 'prod',
    seconds: 3,
    script: () => first(1, answer),
    run: async (stage) => {
      await stage.start();
      await stage.track(BATCH_SIZE);
      await stage.answered(1);
      stage.judge(`retry/${name}`, await cameAgain(stage, after));
    },
  };
}

export const retryAfterSeconds = waiting('seconds', 6, 429);
export const retryAfterDate = waiting('date', 4, 503);

/** The service asks not to be asked for a while, and meanwhile the app tracks more. */
function waiting(form: 'seconds' | 'date', seconds: number, status: number): Phase {
  return {
    name: `retry-after-${form}`,
    environment: 'prod',
    seconds: seconds + 2,
    script: () => first(1, { kind: 'refused', status, retryAfter: { form, seconds } }),
    run: async (stage) => {
      await stage.start();
      await stage.track(BATCH_SIZE);
      await stage.answered(1);
      await stage.track(BATCH_SIZE);
      await stage.delivered(TIMING.retry);
    },
  };
}

/** The service takes no more than twenty events at a time; what is left of them may wait for the interval. */
export const tooLarge: Phase = {
  name: 'too-large',
  environment: 'prod',
  seconds: 33,
  script:
    () =>
    ({ batch }) =>
      (batch?.events.length ?? 0) > MOST_EVENTS ? { kind: 'refused', status: 413 } : TAKEN,
  run: async (stage) => {
    await stage.start();
    await stage.track(BATCH_SIZE);
    await stage.answered(1);
    const isDelivered = await stage.delivered(TIMING.retry);
    const text = 'After a 413, not all events came in smaller batches.';
    stage.judge('retry/too-large', isDelivered ? PASSED : failed(text, stage.attempts.slice(0, 3)));
  },
};

const MOST_EVENTS = 20;

export const unauthorized: Phase = {
  name: 'unauthorized',
  environment: 'prod',
  seconds: 12,
  script: () => () => ({ kind: 'refused', status: 401 }),
  run: async (stage) => {
    await stage.start();
    await stage.track(BATCH_SIZE);
    if (!(await stage.answered(1))) return stage.judge('retry/unauthorized', skipped('Nothing was sent.'));
    await stage.settle();
    await stage.track(BATCH_SIZE);
    const seconds = 2 * TIMING.quiet;
    const isQuiet = (await stage.isQuiet(seconds)) && stage.attempts.length === 1;
    const text = `After a 401 there were ${stage.attempts.length - 1} more requests with the same key within ${seconds} s.`;
    stage.judge('retry/unauthorized', isQuiet ? PASSED : failed(text, stage.attempts.slice(0, 3)));
  },
};

export const redirect: Phase = {
  name: 'redirect',
  environment: 'prod',
  seconds: 7,
  script: () => first(1, { kind: 'redirected', status: 307 }),
  run: async (stage) => {
    await stage.start();
    await stage.track(BATCH_SIZE);
    if (!(await stage.answered(1))) return stage.judge('redirect/not-followed', skipped('Nothing was sent.'));
    const isElsewhere = (): boolean => stage.recording.arrivals.some(({ where }) => where === 'elsewhere');
    const isFollowed = await stage.recording.until(isElsewhere, TIMING.quiet);
    const text = 'A redirect to another origin was followed.';
    const there = stage.recording.arrivals.filter(({ where }) => where === 'elsewhere');
    stage.judge('redirect/not-followed', isFollowed ? failed(text, there) : PASSED);
  },
};

function first(count: number, answer: Answer): (attempt: unknown, index: number) => Answer {
  return (_, index) => (index < count ? answer : TAKEN);
}

/** Whether everything was taken in the end, after an answer that the first attempt got. */
async function cameAgain(stage: Stage, after: string): Promise<Verdict> {
  if (stage.attempts.length === 0) return skipped('Nothing was sent.');
  if (await stage.delivered(TIMING.retry)) return PASSED;
  return failed(`After ${after}, not all events came again within ${TIMING.retry} s.`, stage.attempts.slice(0, 2));
}

function pauses(stage: Stage): { backoff: Verdict; seen: Verdict } {
  const attempts = stage.attempts.filter(isFirstOf(stage));
  const all = attempts.slice(1).map((attempt, index) => secondsBetween(attempts[index], attempt));
  const text = all.map((pause) => `${pause.toFixed(1)} s`).join(', ');
  const seen = saw(`Pauses after a 503: ${text === '' ? 'none' : text}.`);
  if (all.length < ENOUGH_PAUSES)
    return { backoff: skipped(`There were only ${all.length} tries after the first.`), seen };
  const problem = pausesProblem(all, TIMING.margin);
  return { backoff: problem === undefined ? PASSED : failed(`${problem} They were ${text}.`, attempts), seen };
}

/** The tries up to the first that was taken. */
function isFirstOf(stage: Stage): (attempt: Arrival, index: number) => boolean {
  const taken = stage.attempts.findIndex(({ answer }) => answer !== undefined && isReceipt(answer));
  return (_, index) => taken === -1 || index <= taken;
}

function secondsBetween(before: Arrival | undefined, next: Arrival): number {
  return (next.at - (before?.answered?.at ?? next.at)) / 1_000;
}
