import { FairShare, type GiveBack } from '@branchline/runtime';

/** The bytes of bodies that may be read at once. Read and judged they take up to twenty times as much memory. */
const MOST_BYTES = 24 * 1024 * 1024;

const MOST_WAITING = 2_000;

const WAIT_MS = 10_000;

/** How long a body may take to arrive, in milliseconds, once a workspace that has no room waits for some. */
const PATIENCE_MS = 1_000;

const LOOK_EVERY_MS = 100;

/** A body that has room, or is to have some. */
export interface Body {
  /** The workspace that it counts for. */
  holder: string;
  /** The room that it takes, in bytes. */
  weight: number;
  isArriving: () => boolean;
  /** Has it end without being read; its room is given back with its connection. */
  giveUp: () => void;
}

/**
 * The room for bodies that are read, which workspaces share. How long a body takes to arrive is up to its client, so one that takes
 * long gives way to a workspace that has no room at all: however many others send slowly, it waits for little more than a second.
 */
export class BodyRoom {
  readonly #room = new FairShare({ total: MOST_BYTES, mostWaiting: MOST_WAITING });
  /** When each was given its room, the first first. */
  readonly #since = new Map<Body, number>();
  /** Of each workspace, how many bodies wait. */
  readonly #waiting = new Map<string, number>();
  #watch: NodeJS.Timeout | undefined;

  /** Room for a body; undefined where there is none within ten seconds, too many wait, or the signal is aborted. */
  async take(body: Body, signal?: AbortSignal): Promise<GiveBack | undefined> {
    const { holder, weight } = body;
    this.#wait(holder, 1);
    const giveBack = await this.#room.take(holder, { weight, waitMs: WAIT_MS, signal });
    this.#wait(holder, -1);
    if (giveBack === undefined) return undefined;
    this.#since.set(body, performance.now());
    return () => {
      this.#since.delete(body);
      giveBack();
    };
  }

  #wait(holder: string, by: 1 | -1): void {
    const count = (this.#waiting.get(holder) ?? 0) + by;
    if (count > 0) this.#waiting.set(holder, count);
    else this.#waiting.delete(holder);
    if (this.#waiting.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    } else this.#watch ??= setInterval(() => this.#makeRoom(), LOOK_EVERY_MS).unref();
  }

  #makeRoom(): void {
    for (const holder of this.#waiting.keys()) {
      if (this.#room.heldBy(holder) > 0) continue;
      const slowest = this.#findSlowest();
      if (slowest === undefined) return;
      this.#since.delete(slowest);
      slowest.giveUp();
    }
  }

  /** Of the workspace that has most room, the body that has had it longest. */
  #findSlowest(): Body | undefined {
    const latest = performance.now() - PATIENCE_MS;
    let slowest: Body | undefined;
    for (const [body, since] of this.#since) {
      if (since > latest) break;
      if (!body.isArriving()) continue;
      if (slowest === undefined || this.#room.heldBy(body.holder) > this.#room.heldBy(slowest.holder)) slowest = body;
    }
    return slowest;
  }
}
