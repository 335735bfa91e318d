import { FairShare } from '../storage/fair-share.ts';
import { NotTaken, type Timer } from '../storage/group-commit.ts';

export interface IntakeOptions {
  /** How much may be under way at once. */
  capacity: number;
  /** How many may wait. */
  mostWaiting: number;
  /** How long one may wait, in milliseconds. */
  waitMs: number;
  timer: Timer;
}

interface Waiting {
  weight: number;
  admit: () => void;
  isOver: boolean;
}

/**
 * Lets in so many requests at once, before their bodies are read: a body that is not read yet waits at its sender and takes no
 * memory here. Holders (workspaces) take turns, and a tenth of the room is kept for those of whom little is under way.
 */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #underWay: FairShare;
  readonly #waiting: FairShare;
  /** By holder, in the order of their turns. */
  readonly #queues = new Map<string, Waiting[]>();

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#underWay = new FairShare(options.capacity);
    this.#waiting = new FairShare(options.mostWaiting);
  }

  /**
   * Waits until there is room.
   *
   * @returns a function that gives the room back; call it once
   * @throws NotTaken when too many wait already, or it has waited too long
   */
  async enter(holder: string, weight: number): Promise<() => void> {
    if (!this.#queues.has(holder) && this.#underWay.take(holder, weight)) return () => this.#leave(holder, weight);
    if (!this.#waiting.take(holder, 1)) throw busy();
    await this.#wait(holder, weight);
    return () => this.#leave(holder, weight);
  }

  #wait(holder: string, weight: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const one: Waiting = { weight, admit: resolve, isOver: false };
      const queue = this.#queues.get(holder) ?? [];
      queue.push(one);
      this.#queues.set(holder, queue);
      this.#options.timer(() => {
        if (one.isOver) return;
        one.isOver = true;
        queue.splice(queue.indexOf(one), 1);
        if (queue.length === 0) this.#queues.delete(holder);
        this.#waiting.give(holder, 1);
        reject(busy());
      }, this.#options.waitMs);
    });
  }

  #leave(holder: string, weight: number): void {
    this.#underWay.give(holder, weight);
    for (let admitted = true; admitted;) admitted = this.#admitNext();
  }

  /** Admits the first, of the holder whose turn it is, for whom there is room. */
  #admitNext(): boolean {
    for (const [holder, queue] of this.#queues) {
      const [next] = queue;
      if (next === undefined || !this.#underWay.take(holder, next.weight)) continue;
      queue.shift();
      next.isOver = true;
      this.#waiting.give(holder, 1);
      this.#queues.delete(holder);
      if (queue.length > 0) this.#queues.set(holder, queue);
      next.admit();
      return true;
    }
    return false;
  }
}

function busy(): NotTaken {
  return new NotTaken('The service has more to read than it can now. Try again in a moment.');
}
