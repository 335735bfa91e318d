import type { EventStream } from './generated/client.ts';
import { Problem } from './problem.ts';
import { waitFor } from './reading.ts';

/** The state of a followed stream. */
export type StreamState = 'connecting' | 'live' | 'reconnecting';

interface Following<Data> {
  /** Requests the stream after an event; `''` for the beginning. */
  open: (lastEventId: string, signal: AbortSignal) => Promise<EventStream<Data>>;
  lastEventId: string;
  tell: (data: Data) => void;
  /** @param problem why there is currently no stream */
  changed: (state: StreamState, problem?: Problem) => void;
  /** Called with the id of the last event read. */
  reached: (lastEventId: string) => void;
}

const LONGEST_WAIT_S = 30;

/** A stream that has lasted this long counts as started. */
const STEADY_MS = 5_000;

/**
 * Reads a stream of events until the signal aborts. When the stream ends or breaks, it is requested again from there.
 *
 * @throws Problem that is not transient
 */
export async function followEvents<Data>(following: Following<Data>, signal: AbortSignal): Promise<void> {
  const { open, tell, changed, reached } = following;
  let { lastEventId } = following;
  for (let tries = 0; !signal.aborted; tries += 1) {
    let wait = Math.min(2 ** tries, LONGEST_WAIT_S) * (0.5 + Math.random() / 2);
    let problem: Problem | undefined;
    const began = performance.now();
    try {
      const stream = await open(lastEventId, signal);
      changed('live');
      await readThrough(stream, tell, (id) => reached((lastEventId = id)));
    } catch (error) {
      if (!(error instanceof Problem) || !error.mayPass || signal.aborted) throw error;
      problem = error;
      wait = error.retryAfter ?? wait;
    }
    if (performance.now() - began >= STEADY_MS) tries = 0;
    changed('reconnecting', problem);
    await waitFor(wait, signal);
  }
}

/** @throws Problem if the stream breaks */
async function readThrough<Data>(
  stream: EventStream<Data>,
  tell: (data: Data) => void,
  reached: (lastEventId: string) => void,
): Promise<void> {
  try {
    for await (const { data } of stream) {
      tell(data);
      reached(stream.lastEventId);
    }
  } catch (error) {
    // A body rejects with this when its connection breaks.
    if (!(error instanceof TypeError)) throw error;
  } finally {
    if (stream.lastEventId !== '') reached(stream.lastEventId);
  }
}
