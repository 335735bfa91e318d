import type { Phase } from '../phase.ts';
import type { PhaseRun } from '../phase-run.ts';
import { BATCH_SIZE, FLUSH_SECONDS, TIMING } from '../timing.ts';
import { type CaseOutcome, fail, PASSED, observe, skip } from '../outcome.ts';

const TIMER_EARLY_SECONDS = 1;

/** Production, with nothing set: the documented 30 schemas and 30 seconds, in real time. */
export const defaults: Phase = {
  name: 'defaults',
  environment: 'prod',
  seconds: 40,
  run: async (phaseRun) => {
    await phaseRun.start();
    const { early, reached } = await batches(phaseRun, BATCH_SIZE);
    phaseRun.judge('batching/accumulates', early);
    phaseRun.judge('batching/size', reached);
    await phaseRun.delivered();
    const { timer, interval } = await flushes(phaseRun, FLUSH_SECONDS);
    phaseRun.judge('batching/timer', timer);
    phaseRun.judge('batching/interval', interval);
    // Long after the first ones, so that their times have to differ.
    await phaseRun.track(BATCH_SIZE);
    await phaseRun.delivered();
    phaseRun.recording.isComplete = interval.state === 'pass';
  },
};

export const staging: Phase = {
  name: 'staging',
  environment: 'staging',
  seconds: 7,
  run: async (phaseRun) => {
    await phaseRun.start();
    const { early, reached } = await batches(phaseRun, BATCH_SIZE);
    phaseRun.judge('batching/staging', early.state === 'pass' ? reached : early);
    const seen = early.state === 'pass' ? `no send with ${BATCH_SIZE - 1} unsent schemas` : 'a send with fewer than 30';
    phaseRun.judge('observed/staging', observe(`In staging: ${seen}.`));
    await phaseRun.delivered();
    // Time for what should not come.
    await phaseRun.wait(1);
    phaseRun.recording.isComplete = true;
  },
};

const SET_SIZE = 10;
const SET_SECONDS = 5;

export const batchSize: Phase = {
  name: 'batch-size',
  environment: 'prod',
  seconds: 7,
  run: async (phaseRun) => {
    await phaseRun.start({ batchSize: SET_SIZE });
    const { early, reached } = await batches(phaseRun, SET_SIZE);
    phaseRun.judge('setters/size', early.state === 'pass' ? reached : early);
  },
};

export const flushSeconds: Phase = {
  name: 'flush-seconds',
  environment: 'prod',
  seconds: 7,
  run: async (phaseRun) => {
    await phaseRun.start({ batchFlushSeconds: SET_SECONDS });
    phaseRun.judge('setters/interval', (await flushes(phaseRun, SET_SECONDS)).interval);
  },
};

/** What a batch size of 0 does is not shown; it is only looked at. */
export const bounds: Phase = {
  name: 'bounds',
  environment: 'prod',
  seconds: 6,
  run: async (phaseRun) => {
    await phaseRun.start({ batchSize: 0 });
    await phaseRun.track(1);
    const isSent = await phaseRun.attempted(1, TIMING.prompt);
    phaseRun.judge(
      'observed/bounds',
      observe(`With a batch size of 0 one schema is ${isSent ? 'sent at once' : 'kept'}.`),
    );
  },
};

/** Tracks one event less than makes a batch, and then that one. */
async function batches(phaseRun: PhaseRun, size: number): Promise<{ early: CaseOutcome; reached: CaseOutcome }> {
  const { quiet, prompt } = TIMING;
  const begun = phaseRun.recording.now();
  await phaseRun.track(size - 1);
  if (phaseRun.attempts.length === 0) await phaseRun.isQuiet(quiet);
  const [first] = phaseRun.attempts;
  if (first !== undefined && first.at - begun >= (FLUSH_SECONDS - TIMER_EARLY_SECONDS) * 1_000) {
    const verdict = skip(`The driver took so long to track ${size - 1} events that the flush interval was over.`);
    return { early: verdict, reached: verdict };
  }
  const before = phaseRun.attempts.length;
  await phaseRun.track(1);
  const isReached = await phaseRun.attempted(before + 1, prompt);
  const isEarly = `A send was attempted with at most ${size - 1} unsent schemas, within ${quiet} s; the batch size was ${size}.`;
  const isLate = `There were ${size} unsent schemas, and no send was attempted within ${prompt} s; the batch size was ${size}.`;
  return {
    early: first === undefined ? PASSED : fail(isEarly, [first]),
    reached: isReached ? PASSED : fail(isLate),
  };
}

/** Tracks one event and waits for the interval; then for another event to remind the library of it. */
async function flushes(phaseRun: PhaseRun, seconds: number): Promise<{ timer: CaseOutcome; interval: CaseOutcome }> {
  const { margin, prompt } = TIMING;
  const before = phaseRun.attempts.length;
  const begun = phaseRun.recording.now();
  await phaseRun.track(1);
  if (await phaseRun.attempted(before + 1, seconds + margin)) {
    const [attempt] = phaseRun.attempts.slice(before);
    const after = ((attempt?.at ?? 0) - begun) / 1_000;
    const isEarly = after < seconds - TIMER_EARLY_SECONDS;
    const text = `A schema was sent ${after.toFixed(1)} s after it was tracked; the flush interval was ${seconds} s.`;
    return { timer: isEarly ? fail(text, phaseRun.attempts.slice(before)) : PASSED, interval: PASSED };
  }
  await phaseRun.track(1);
  const isReminded = await phaseRun.attempted(before + 1, prompt);
  if (!isReminded) {
    const text = `A schema was unsent for more than ${seconds + margin} s, another was tracked, and no send was attempted within ${prompt} s; the flush interval was ${seconds} s.`;
    return { timer: skip('Nothing was sent after the flush interval at all.'), interval: fail(text) };
  }
  const text = `A schema was unsent for ${seconds + margin} s and was sent only when another was tracked; the flush interval was ${seconds} s.`;
  return { timer: fail(text, phaseRun.attempts.slice(before)), interval: PASSED };
}
