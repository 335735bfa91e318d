import { LRUCache } from 'lru-cache';
import { Unavailable } from './transient-errors.ts';

/** The number of workspaces whose life is known. */
const REMEMBERED = 10_000;

/** The database lives another life than the one of which something was remembered. Done anew, the work goes by what is there now. */
export class AnotherLife extends Unavailable {
  constructor() {
    super('The database was restarted or replaced meanwhile. Try again in a moment.');
  }
}

/** Told of events that were accepted, and of whose rows the database turned out to lack some. */
export type LossListener = (workspaceId: string, events: number) => void;

/**
 * Tells one life of the database from the next. A life ends whenever the database may have gone back to an earlier state: when
 * it starts, after a crash too, when a standby takes over, when a copy takes its place. What a process remembers of a database
 * holds for one life: whoever remembers something begins its key with {@link nameOf}, taken before it is read.
 *
 * Each workspace has a life of its own, since engines that shard by it keep them in several databases.
 *
 * @example
 * const life = storage.lives.nameOf(workspaceId);
 * this.#shapes.get(joinKey(life, shapeId));
 */
export class DatabaseLives {
  readonly #workspaces = new LRUCache<string, { name: string; life: string | undefined }>({ max: REMEMBERED });
  readonly #listeners = new Set<LossListener>();
  #names = 0;

  /** A name for the life that the workspace was last seen in; no other workspace or life has it. */
  nameOf(workspaceId: string): string {
    return this.#find(workspaceId).name;
  }

  /**
   * Makes sure, in the transaction that read `life`, that what is remembered by `name` is of that life.
   *
   * @throws AnotherLife when it may not be; from then on nothing is remembered of the workspace
   */
  require(workspaceId: string, name: string, life: string): void {
    const known = this.#find(workspaceId);
    known.life ??= life;
    if (known.life !== life) this.forget(workspaceId);
    if (known.life !== life || known.name !== name) throw new AnotherLife();
  }

  /** Has nothing that is remembered of the workspace be trusted any more. */
  forget(workspaceId: string): void {
    this.#workspaces.delete(workspaceId);
  }

  /** The database turned out to lack rows that were there when these events were accepted. */
  reportLoss(workspaceId: string, events: number): void {
    this.forget(workspaceId);
    for (const listener of this.#listeners) listener(workspaceId, events);
  }

  onLoss(listener: LossListener): void {
    this.#listeners.add(listener);
  }

  #find(workspaceId: string): { name: string; life: string | undefined } {
    const known = this.#workspaces.get(workspaceId);
    if (known !== undefined) return known;
    this.#names += 1;
    const found = { name: this.#names.toString(36), life: undefined };
    this.#workspaces.set(workspaceId, found);
    return found;
  }
}
