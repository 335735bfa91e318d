import { type Answer, isReceipt, TAKEN } from '../answer.ts';
import type { CapturedRequest } from '../captured-request.ts';
import type { Phase } from '../phase.ts';
import type { PhaseRun } from '../phase-run.ts';
import { BATCH_SIZE, MAX_BACKOFF_SECONDS, TIMING } from '../timing.ts';
import { type CaseOutcome, fail, PASSED, observe, skip } from '../outcome.ts';
import { ENOUGH_PAUSES, pausesProblem } from './pauses.ts';

const FAILURES = 5;

/** The service is not available, five times in a row. */
export const unavailable: Phase = {
  name: 'unavailable',
  environment: 'prod',
  seconds: 20,
  script: () => first(FAILURES, { kind: 'refused', status: 503 }),
  run: async (phaseRun) => {
    await phaseRun.start();
    await phaseRun.track(BATCH_SIZE);
    await phaseRun.answered(1);
    for (let tries = 2; tries <= FAILURES + 1; tries += 1) {
      if (!(await phaseRun.triedAgain(tries))) break;
    }
    phaseRun.judge('retry/unavailable', await unavailableOutcome(phaseRun));
    const { backoff, seen } = pauses(phaseRun);
    phaseRun.judge('retry/backoff', backoff);
    phaseRun.judge('observed/failures', seen);
  },
};

async function unavailableOutcome(phaseRun: PhaseRun): Promise<CaseOutcome> {
  const tries = phaseRun.attempts.length;
  if (tries < 2 || tries > FAILURES) return judgeAgain(phaseRun, '503');
  const { retryWaitSeconds: waited } = phaseRun;
  const text = `After ${tries} tries that were answered with 503 no other came within ${waited} s`;
  if (waited > MAX_BACKOFF_SECONDS) return fail(`${text}.`, phaseRun.attempts.slice(-2));
  return skip(`${text}, and a pause may take ${MAX_BACKOFF_SECONDS} s: give a longer --retry-wait.`);
}

export const serverError = failing('server-error', { kind: 'refused', status: 500 }, '500');
export const reset = failing('reset', { kind: 'reset' }, 'a connection that was reset');
export const truncated = failing('truncated', { kind: 'taken', truncated: true }, 'half a receipt');

/** A first answer that leaves open whether the batch was taken. */
function failing(name: string, answer: Answer, after: string): Phase {
  return {
    name,
    environment: 'prod',
    seconds: 3,
    script: () => first(1, answer),
    run: async (phaseRun) => {
      await phaseRun.start();
      await phaseRun.track(BATCH_SIZE);
      await phaseRun.answered(1);
      phaseRun.judge(`retry/${name}`, await judgeAgain(phaseRun, after));
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
    run: async (phaseRun) => {
      await phaseRun.start();
      await phaseRun.track(BATCH_SIZE);
      await phaseRun.answered(1);
      await phaseRun.track(BATCH_SIZE);
      await phaseRun.cameAgain(seconds);
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
  run: async (phaseRun) => {
    await phaseRun.start();
    await phaseRun.track(BATCH_SIZE);
    await phaseRun.answered(1);
    const isDelivered = (await phaseRun.triedAgain(2)) && (await phaseRun.delivered(phaseRun.retryWaitSeconds));
    const text = 'After a 413, not all events came in smaller batches.';
    phaseRun.judge('retry/too-large', isDelivered ? PASSED : fail(text, phaseRun.attempts.slice(0, 3)));
  },
};

const MOST_EVENTS = 20;

export const unauthorized: Phase = {
  name: 'unauthorized',
  environment: 'prod',
  seconds: 12,
  script: () => () => ({ kind: 'refused', status: 401 }),
  run: async (phaseRun) => {
    await phaseRun.start();
    await phaseRun.track(BATCH_SIZE);
    if (!(await phaseRun.answered(1))) return phaseRun.judge('retry/unauthorized', skip('Nothing was sent.'));
    await phaseRun.settle();
    await phaseRun.track(BATCH_SIZE);
    const seconds = 2 * TIMING.quiet;
    const isQuiet = (await phaseRun.isQuiet(seconds)) && phaseRun.attempts.length === 1;
    const text = `After a 401 there were ${phaseRun.attempts.length - 1} more requests with the same key within ${seconds} s.`;
    phaseRun.judge('retry/unauthorized', isQuiet ? PASSED : fail(text, phaseRun.attempts.slice(0, 3)));
  },
};

export const redirect: Phase = {
  name: 'redirect',
  environment: 'prod',
  seconds: 7,
  script: () => first(1, { kind: 'redirected', status: 307 }),
  run: async (phaseRun) => {
    await phaseRun.start();
    await phaseRun.track(BATCH_SIZE);
    if (!(await phaseRun.answered(1))) return phaseRun.judge('redirect/not-followed', skip('Nothing was sent.'));
    const isElsewhere = (): boolean => phaseRun.recording.requests.some(({ where }) => where === 'elsewhere');
    const isFollowed = await phaseRun.recording.until(isElsewhere, TIMING.quiet);
    const text = 'A redirect to another origin was followed.';
    const there = phaseRun.recording.requests.filter(({ where }) => where === 'elsewhere');
    phaseRun.judge('redirect/not-followed', isFollowed ? fail(text, there) : PASSED);
  },
};

function first(count: number, answer: Answer): (attempt: unknown, index: number) => Answer {
  return (_, index) => (index < count ? answer : TAKEN);
}

/** Whether everything was taken in the end, after an answer that the first attempt got. */
async function judgeAgain(phaseRun: PhaseRun, after: string): Promise<CaseOutcome> {
  if (phaseRun.attempts.length === 0) return skip('Nothing was sent.');
  if (await phaseRun.cameAgain()) return PASSED;
  const text = `After ${after}, not all events came again; the first try was waited for ${TIMING.firstRetry} s.`;
  return fail(text, phaseRun.attempts.slice(0, 2));
}

function pauses(phaseRun: PhaseRun): { backoff: CaseOutcome; seen: CaseOutcome } {
  const attempts = phaseRun.attempts.filter(createIsFirst(phaseRun));
  const all = attempts.slice(1).map((attempt, index) => secondsBetween(attempts[index], attempt));
  const text = all.map((pause) => `${pause.toFixed(1)} s`).join(', ');
  const seen = observe(`Pauses after a 503: ${text === '' ? 'none' : text}.`);
  if (all.length < ENOUGH_PAUSES)
    return { backoff: skip(`There were only ${all.length} tries after the first.`), seen };
  const problem = pausesProblem(all, TIMING.margin);
  return { backoff: problem === undefined ? PASSED : fail(`${problem} They were ${text}.`, attempts), seen };
}

/** The tries up to the first that was taken. */
function createIsFirst(phaseRun: PhaseRun): (attempt: CapturedRequest, index: number) => boolean {
  const taken = phaseRun.attempts.findIndex(({ answer }) => answer !== undefined && isReceipt(answer));
  return (_, index) => taken === -1 || index <= taken;
}

function secondsBetween(before: CapturedRequest | undefined, next: CapturedRequest): number {
  return (next.at - (before?.answered?.at ?? next.at)) / 1_000;
}
