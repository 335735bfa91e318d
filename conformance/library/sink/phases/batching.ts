import type { Phase } from '../phase.ts';
import type { Stage } from '../phase-run.ts';
import { BATCH_SIZE, FLUSH_SECONDS, TIMING } from '../timing.ts';
import { type Verdict, failed, PASSED, saw, skipped } from '../outcome.ts';

const TIMER_EARLY_SECONDS = 1;

/** Production, with nothing set: the documented 30 schemas and 30 seconds, in real time. */
export const defaults: Phase = {
  name: 'defaults',
  environment: 'prod',
  seconds: 40,
  run: async (stage) => {
    await stage.start();
    const { early, reached } = await batches(stage, BATCH_SIZE);
    stage.judge('batching/accumulates', early);
    stage.judge('batching/size', reached);
    await stage.delivered();
    const { timer, interval } = await flushes(stage, FLUSH_SECONDS);
    stage.judge('batching/timer', timer);
    stage.judge('batching/interval', interval);
    await stage.delivered();
    stage.recording.isComplete = interval.state === 'pass';
  },
};

export const staging: Phase = {
  name: 'staging',
  environment: 'staging',
  seconds: 7,
  run: async (stage) => {
    await stage.start();
    const { early, reached } = await batches(stage, BATCH_SIZE);
    stage.judge('batching/staging', early.state === 'pass' ? reached : early);
    const seen = early.state === 'pass' ? `no send with ${BATCH_SIZE - 1} unsent schemas` : 'a send with fewer than 30';
    stage.judge('observed/staging', saw(`In staging: ${seen}.`));
    await stage.delivered();
    // Time for what should not come.
    await stage.wait(1);
    stage.recording.isComplete = true;
  },
};

const SET_SIZE = 10;
const SET_SECONDS = 5;

export const batchSize: Phase = {
  name: 'batch-size',
  environment: 'prod',
  seconds: 7,
  run: async (stage) => {
    await stage.start({ batchSize: SET_SIZE });
    const { early, reached } = await batches(stage, SET_SIZE);
    stage.judge('setters/size', early.state === 'pass' ? reached : early);
  },
};

export const flushSeconds: Phase = {
  name: 'flush-seconds',
  environment: 'prod',
  seconds: 7,
  run: async (stage) => {
    await stage.start({ batchFlushSeconds: SET_SECONDS });
    stage.judge('setters/interval', (await flushes(stage, SET_SECONDS)).interval);
  },
};

/** What a batch size of 0 does is not shown; it is only looked at. */
export const bounds: Phase = {
  name: 'bounds',
  environment: 'prod',
  seconds: 6,
  run: async (stage) => {
    await stage.start({ batchSize: 0 });
    await stage.track(1);
    const isSent = await stage.attempted(1, TIMING.prompt);
    stage.judge('observed/bounds', saw(`With a batch size of 0 one schema is ${isSent ? 'sent at once' : 'kept'}.`));
  },
};

/** Tracks one event less than makes a batch, and then that one. */
async function batches(stage: Stage, size: number): Promise<{ early: Verdict; reached: Verdict }> {
  const { quiet, prompt } = TIMING;
  const begun = stage.recording.now();
  await stage.track(size - 1);
  if (stage.attempts.length === 0) await stage.isQuiet(quiet);
  const [first] = stage.attempts;
  if (first !== undefined && first.at - begun >= (FLUSH_SECONDS - TIMER_EARLY_SECONDS) * 1_000) {
    const verdict = skipped(`The driver took so long to track ${size - 1} events that the flush interval was over.`);
    return { early: verdict, reached: verdict };
  }
  const before = stage.attempts.length;
  await stage.track(1);
  const isReached = await stage.attempted(before + 1, prompt);
  const isEarly = `A send was attempted with at most ${size - 1} unsent schemas, within ${quiet} s; the batch size was ${size}.`;
  const isLate = `There were ${size} unsent schemas, and no send was attempted within ${prompt} s; the batch size was ${size}.`;
  return {
    early: first === undefined ? PASSED : failed(isEarly, [first]),
    reached: isReached ? PASSED : failed(isLate),
  };
}

/** Tracks one event and waits for the interval; then for another event to remind the library of it. */
async function flushes(stage: Stage, seconds: number): Promise<{ timer: Verdict; interval: Verdict }> {
  const { margin, prompt } = TIMING;
  const before = stage.attempts.length;
  const begun = stage.recording.now();
  await stage.track(1);
  if (await stage.attempted(before + 1, seconds + margin)) {
    const [attempt] = stage.attempts.slice(before);
    const after = ((attempt?.at ?? 0) - begun) / 1_000;
    const isEarly = after < seconds - TIMER_EARLY_SECONDS;
    const text = `A schema was sent ${after.toFixed(1)} s after it was tracked; the flush interval was ${seconds} s.`;
    return { timer: isEarly ? failed(text, stage.attempts.slice(before)) : PASSED, interval: PASSED };
  }
  await stage.track(1);
  const isReminded = await stage.attempted(before + 1, prompt);
  if (!isReminded) {
    const text = `A schema was unsent for more than ${seconds + margin} s, another was tracked, and no send was attempted within ${prompt} s; the flush interval was ${seconds} s.`;
    return { timer: skipped('Nothing was sent after the flush interval at all.'), interval: failed(text) };
  }
  const text = `A schema was unsent for ${seconds + margin} s and was sent only when another was tracked; the flush interval was ${seconds} s.`;
  return { timer: failed(text, stage.attempts.slice(before)), interval: PASSED };
}
