import { LiveBacklog } from './live-backlog.ts';
import type { LiveEvent } from './live-batch.ts';
import type { LiveReader } from './live-reader.ts';
import { countBatches, type Missing, plus } from './missing.ts';

/** How many events of a workspace are told in a second; more than anybody reads. */
const MOST_EACH_SECOND = 500;

/** How long what was told is remembered after the last reader has left; in milliseconds. */
const REMEMBERED_MS = 60_000;

/** Those who watch one workspace, and what they were told last. */
export class LiveRoom {
  readonly readers = new Set<LiveReader>();
  readonly #backlog = new LiveBacklog();
  #emptySince = -Infinity;
  #second = 0;
  #toldInSecond = 0;
  /** Since the second has had enough. */
  #missed: Missing = 0;

  /** How far the stream has come. */
  get position(): string {
    return this.#backlog.lastId;
  }

  /** @param lastEventId what it has read of a stream before */
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

  /** Says how many the second before has left out. */
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
