import { randomBytes } from 'node:crypto';
import type { LiveEvent } from './live-batch.ts';

/** An event with its position in the stream. */
export interface Told {
  id: string;
  event: LiveEvent;
  /** Its approximate size in memory. */
  bytes: number;
}

/** The bounds of what is remembered for readers that resume. */
const MOST_EVENTS = 200;
const MOST_BYTES = 256 * 1_024;

/** The last events of a workspace's stream, numbered. Ids from another backlog or server are unknown here. */
export class LiveBacklog {
  readonly #name = randomBytes(6).toString('base64url');
  readonly #events: Told[] = [];
  #last = 0;
  #bytes = 0;

  /** The id of the last event. */
  get lastId(): string {
    return this.#id(this.#last);
  }

  add(event: LiveEvent): Told {
    this.#last += 1;
    const told = { id: this.lastId, event, bytes: Buffer.byteLength(JSON.stringify(event)) };
    this.#events.push(told);
    this.#bytes += told.bytes;
    while (this.#events.length > MOST_EVENTS || this.#bytes > MOST_BYTES)
      this.#bytes -= this.#events.shift()?.bytes ?? 0;
    return told;
  }

  /** Returns the events after the given one; undefined if they are no longer known. */
  after(id: string): readonly Told[] | undefined {
    const number = Number(id.slice(id.lastIndexOf('.') + 1));
    if (!Number.isSafeInteger(number) || id !== this.#id(number) || number > this.#last) return undefined;
    const missing = this.#last - number;
    return missing > this.#events.length ? undefined : this.#events.slice(this.#events.length - missing);
  }

  #id(number: number): string {
    return `${this.#name}.${number}`;
  }
}
