import type { EventStream } from './generated/client.ts';
import { Problem } from './problem.ts';
import { waitFor } from './reading.ts';

/** How a stream that is followed stands. */
export type StreamState = 'connecting' | 'live' | 'reconnecting';

interface Following<Data> {
  /** Asks for the stream, to go on after an event; `''` for its beginning. */
  open: (lastEventId: string, signal: AbortSignal) => Promise<EventStream<Data>>;
  lastEventId: string;
  tell: (data: Data) => void;
  /** @param problem why there is none for now */
  changed: (state: StreamState, problem?: Problem) => void;
  /** Told how far it was read. */
  reached: (lastEventId: string) => void;
}

const LONGEST_WAIT_S = 30;

/** A stream that has gone on for so long has not failed to begin. */
const STEADY_MS = 5_000;

/**
 * Reads a stream of events for as long as the signal lets it: where it ends or breaks off, it is asked for again from there.
 *
 * @throws Problem that does not pass by itself
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

/** @throws Problem where it breaks off */
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
    // What a body rejects with when its connection breaks.
    if (!(error instanceof TypeError)) throw error;
  } finally {
    if (stream.lastEventId !== '') reached(stream.lastEventId);
  }
}
