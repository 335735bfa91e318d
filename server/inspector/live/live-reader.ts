import type { ServerSentEvent } from '@branchline/runtime';
import type { Told } from './live-backlog.ts';
import type { LiveEvent } from './live-batch.ts';
import { fits, type LiveFilter } from './live-filter.ts';
import { countBatches, type Missing, plus } from './missing.ts';

type Sent = ServerSentEvent<LiveEvent>;

/** The maximum that waits for a reader; older events are dropped and counted. */
const MOST_WAITING = 100;
const MOST_BYTES = 256 * 1_024;

/** One stream: its filter and the events that it has not read yet. */
export class LiveReader implements AsyncIterable<Sent>, AsyncIterator<Sent, undefined> {
  readonly #filter: LiveFilter;
  readonly #left: () => void;
  readonly #waiting: Told[] = [];
  #bytes = 0;
  #missed: Missing = 0;
  /** The position up to which it is complete. Sent if nothing else is. */
  #position: string | undefined;
  #taker: ((result: IteratorResult<Sent, undefined>) => void) | undefined;
  #hasEnded = false;

  /** @param left called once, when the reader has left */
  constructor(filter: LiveFilter, left: () => void) {
    this.#filter = filter;
    this.#left = left;
  }

  tell(told: Told): void {
    if (!fits(told.event, this.#filter)) return;
    this.#position = undefined;
    this.#waiting.push(told);
    this.#bytes += told.bytes;
    while (this.#waiting.length > MOST_WAITING || this.#bytes > MOST_BYTES) this.#dropOldest();
    this.#handOver();
  }

  miss(batches: Missing): void {
    this.#missed = plus(this.#missed, batches);
    this.#handOver();
  }

  /** Sends the current position, which also keeps the connection open. */
  say(position: string): void {
    this.#position = position;
    this.#handOver();
  }

  /** Ends the stream without sending what waits: a reader that resumes gets it then. */
  end(): void {
    this.#hasEnded = true;
    if (this.#waiting.length > 0 || this.#missed !== 0) this.#position = undefined;
    this.#waiting.length = 0;
    this.#missed = 0;
    this.#handOver();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Sent, undefined>> {
    return new Promise((resolve) => {
      this.#taker = resolve;
      this.#handOver();
    });
  }

  /** The client has left. */
  async return(): Promise<IteratorResult<Sent, undefined>> {
    this.end();
    this.#left();
    return { done: true, value: undefined };
  }

  #handOver(): void {
    const taker = this.#taker;
    if (taker === undefined) return;
    const sent = this.#take();
    if (sent === undefined && !this.#hasEnded) return;
    this.#taker = undefined;
    taker(sent === undefined ? { done: true, value: undefined } : { done: false, value: sent });
  }

  #take(): Sent | undefined {
    if (this.#missed !== 0) {
      const batches = this.#missed;
      this.#missed = 0;
      return { data: { type: 'missed', batches } };
    }
    const told = this.#waiting.shift();
    if (told !== undefined) {
      this.#bytes -= told.bytes;
      return { id: told.id, data: told.event };
    }
    const id = this.#position;
    this.#position = undefined;
    return id === undefined ? undefined : { id };
  }

  #dropOldest(): void {
    const dropped = this.#waiting.shift();
    if (dropped === undefined) return;
    this.#bytes -= dropped.bytes;
    this.#missed = plus(this.#missed, countBatches(dropped.event));
  }
}
