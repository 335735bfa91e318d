import { LiveBacklog } from './live-backlog.ts';
import type { LiveEvent } from './live-batch.ts';
import type { LiveReader } from './live-reader.ts';
import { countBatches, type Missing, plus } from './missing.ts';

/** The maximum number of events sent per second in a workspace, more than anybody reads. */
const MOST_EACH_SECOND = 500;

/** How long events are remembered after the last reader has left, in milliseconds. */
const REMEMBERED_MS = 60_000;

/** The readers of one workspace, and its last events. */
export class LiveRoom {
  readonly readers = new Set<LiveReader>();
  readonly #backlog = new LiveBacklog();
  #emptySince = -Infinity;
  #second = 0;
  #toldInSecond = 0;
  /** The batches left out since the current second is full. */
  #missed: Missing = 0;

  /** The current position of the stream. */
  get position(): string {
    return this.#backlog.lastId;
  }

  /** @param lastEventId the last id read from an earlier stream */
  enter(reader: LiveReader, lastEventId: string | undefined): void {
    const since = lastEventId === undefined ? [] : this.#backlog.after(lastEventId);
    if (since === undefined) reader.miss(null);
    for (const told of since ?? []) reader.tell(told);
    reader.say(this.position);
    this.readers.add(reader);
  }

  leave(reader: LiveReader, now: number): void {
    if (this.readers.delete(reader)) this.#emptySince = now;
  }

  isForgotten(now: number): boolean {
    return this.readers.size === 0 && now - this.#emptySince >= REMEMBERED_MS;
  }

  tell(event: LiveEvent, now: number): void {
    this.settle(now);
    if (this.#toldInSecond < MOST_EACH_SECOND) this.#tellAll(event);
    else this.#missed = plus(this.#missed, countBatches(event));
  }

  /** Reports the number of batches left out in the previous second. */
  settle(now: number): void {
    const second = Math.floor(now / 1_000);
    if (second === this.#second) return;
    this.#second = second;
    this.#toldInSecond = 0;
    if (this.#missed === 0) return;
    const batches = this.#missed;
    this.#missed = 0;
    this.#tellAll({ type: 'missed', batches });
  }

  #tellAll(event: LiveEvent): void {
    this.#toldInSecond += 1;
    const told = this.#backlog.add(event);
    for (const reader of this.readers) reader.tell(told);
  }
}
