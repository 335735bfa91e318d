import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fromRoot } from '../subjects/subject.ts';

/** A load that waits in a process of its own, with all that it sends prepared. */
export interface ReadyLoad<Result> {
  /** @param seconds after which it is stopped if it has not ended; left out: it may take as long as it does */
  begin: (seconds?: number) => Promise<Result>;
  /** Has it end soon; what it saw until then is its result. */
  stop: () => void;
}

/** What a load does once it is told to begin. */
type Work<Result> = (stopped: AbortSignal) => Promise<Result>;

/** Starts a program of this repository that calls {@link runLoad}, and waits until it is ready. */
export async function prepareLoad<Plan extends object, Result>(
  program: string,
  plan: Plan,
): Promise<ReadyLoad<Result>> {
  const child = fork(fromRoot(program));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ended with ${code}.`);
  });
  // Whoever waits for a message learns it; an end after the last one is no mistake.
  ended.catch(() => {});
  const message = (): Promise<unknown[]> => Promise.race([once(child, 'message'), ended]);
  const ready = message();
  child.send(plan);
  await ready;
  const stop = (): void => {
    if (child.connected) child.send('stop');
  };
  return {
    async begin(seconds) {
      const answer = message();
      child.send('begin');
      const bound = seconds === undefined ? undefined : setTimeout(stop, seconds * 1_000);
      const [result] = await answer;
      clearTimeout(bound);
      return result as Result;
    },
    stop,
  };
}

/** Runs a load in this process for the one that started it. */
export async function runLoad<Plan, Result>(prepare: (plan: Plan) => Promise<Work<Result>>): Promise<void> {
  // Nothing outlives the process that measures.
  process.once('disconnect', () => process.exit());
  const [plan] = await once(process, 'message');
  const work = await prepare(plan as Plan);
  const begin = once(process, 'message');
  process.send?.('ready');
  await begin;
  const stop = new AbortController();
  process.once('message', () => stop.abort());
  const result = await work(stop.signal);
  process.send?.(result, () => process.disconnect());
}
