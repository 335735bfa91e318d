import type { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { boundInMemory } from '../memory-limit.ts';
import { networkOf } from './client-network.ts';
import { HeldBytes } from './held-bytes.ts';
import { replyToUnreadable } from './raw-replies.ts';

/** Of all connections together; in bytes. Headers lie in the heap of JavaScript, of which it is a sixth at most. */
const MOST_BYTES = Math.min(boundInMemory(128 * 1_048_576, 1 / 24), getHeapStatistics().heap_size_limit / 6);

/** Something that has arrived on a connection: headers and the beginning of their body, or what could not be parsed yet. */
export interface Arriving {
  readonly socket: Socket;
}

/**
 * What has arrived on connections and has no whole body yet, or could not be parsed yet. Thousands of clients can send a part of a body
 * each, so it is bounded: past the bound those give way that have been arriving longest, of the network that has most.
 */
export class ArrivingInput {
  readonly #held = new HeldBytes<Arriving>();
  readonly #most: number;
  #gaveWay = 0;

  /** @param most in bytes; defaults to 128 MiB, or a part of a limited memory */
  constructor(most = MOST_BYTES) {
    this.#most = most;
  }

  /** How many connections have given way. */
  get gaveWay(): number {
    return this.#gaveWay;
  }

  /** Adds to what has arrived. */
  add(arriving: Arriving, bytes: number): void {
    this.#held.add(networkOf(arriving.socket), arriving, bytes);
    this.#makeRoom();
  }

  /** It is whole, or parsed, or its client has left. */
  remove(arriving: Arriving): void {
    this.#held.remove(arriving);
  }

  #makeRoom(): void {
    while (this.#held.total > this.#most) {
      const oldest = this.#held.findOldestOf(this.#held.findLargest());
      if (oldest === undefined) return;
      this.#held.remove(oldest);
      this.#gaveWay += 1;
      giveUp(oldest.socket);
    }
  }
}

function giveUp(socket: Socket): void {
  replyToUnreadable({ code: 'TOO_MUCH_INPUT' }, socket);
  // Unless what was asked before is still to be answered, which ends the connection then.
  if (!socket.writable) socket.destroySoon();
}

/** Of this process, whose memory all of its servers share. */
export const arrivingInput = new ArrivingInput();
