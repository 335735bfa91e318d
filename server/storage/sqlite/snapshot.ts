import { realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { takeTurn } from '@branchline/runtime';
import type { Compilable } from 'kysely';
import { type SnapshotBounds, Snapshots } from '../snapshots.ts';
import { STREAM_CHUNK_ROWS } from '../storage.ts';
import { BUSY_TIMEOUT_MS } from './connection.ts';
import { sqlValues } from './statement-cache.ts';
import { StoredValues } from './stored-values.ts';
import { type WalBounds, WalGuard } from './wal.ts';

/** How long rows are read without letting others have the thread. */
const TURN_MS = 2;

/** The snapshots of one database file, read in short turns. */
export class SqliteSnapshots {
  readonly #file: string;
  readonly #snapshots: Snapshots;
  readonly #wal: WalGuard;
  /** Connections that no snapshot is read by, as many as have been read at once. */
  readonly #idle: DatabaseSync[] = [];
  #isClosed = false;

  /** @param file of a database that is there */
  constructor(file: string, bounds: { snapshots?: SnapshotBounds; wal?: WalBounds } = {}) {
    this.#file = realpathSync(file);
    this.#snapshots = new Snapshots(bounds.snapshots);
    this.#wal = new WalGuard(this.#file, bounds.wal);
  }

  async *stream<Row>(holder: string, query: Compilable<Row>): AsyncIterable<Row[]> {
    await this.#wal.leaveToOthers(holder);
    yield* this.#snapshots.stream(holder, this.#read(holder, query));
  }

  /** Waits a moment where what a holder writes would have the snapshot of another one ended. */
  async restAfterWrite(holder: string): Promise<void> {
    await this.#wal.restAfterWrite(holder);
  }

  /** Closes its connections; those of snapshots that are read, once they are free. */
  close(): void {
    this.#isClosed = true;
    for (const database of this.#idle.splice(0)) database.close();
  }

  /** A connection of its own holds the snapshot, so that neither writers nor other exports share its transaction. */
  async *#read<Row>(holder: string, query: Compilable<Row>): AsyncGenerator<Row[], void, undefined> {
    await this.#wal.admit(holder);
    await takeTurn(holder);
    const database = this.#idle.pop() ?? this.#open();
    try {
      yield* this.#readBy<Row>(database, holder, query);
    } finally {
      if (this.#isClosed) database.close();
      else this.#idle.push(database);
    }
  }

  async *#readBy<Row>(database: DatabaseSync, holder: string, query: Compilable<Row>): AsyncGenerator<Row[]> {
    const { sql: text, parameters } = query.compile();
    const statement = database.prepare(text);
    const columns = statement.columns();
    const toRow = rowOf(columns.map(({ name }) => name));
    const stored = new StoredValues(columns);
    // Of each object that the engine makes something stays until the garbage of all memory is collected; of an array nothing.
    statement.setReturnArrays(true);
    // One SELECT statement reads one snapshot for as long as it is iterated.
    const cells = statement.iterate(...sqlValues(parameters));
    const ended = new AbortController();
    const watched = this.#wal.watch(holder, (reason) => {
      ended.abort(reason);
      cells.return?.();
    });
    try {
      let chunk: Row[] = [];
      let turnEnds = performance.now() + TURN_MS;
      const readNext = () => stored.read(() => cells.next());
      for (let next = readNext(); next.done !== true; next = readNext()) {
        const row = toRow(next.value);
        stored.check(row);
        chunk.push(row as Row);
        // Of ten rows each may be large, and be read from the disk.
        if (chunk.length < STREAM_CHUNK_ROWS && performance.now() < turnEnds) continue;
        // Also what a turn has read, however few rows those are: they are large.
        watched.setAway(true);
        yield chunk;
        watched.setAway(false);
        chunk = [];
        await takeTurn(holder);
        ended.signal.throwIfAborted();
        turnEnds = performance.now() + TURN_MS;
      }
      if (chunk.length > 0) yield chunk;
    } finally {
      watched.forget();
      cells.return?.();
    }
  }

  /**
   * SQLite gives the log to the owner of the database whenever root opens it, which waits for whoever makes a long log short, for a tenth
   * of a second: so connections are kept.
   */
  #open(): DatabaseSync {
    return new DatabaseSync(this.#file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  }
}

function rowOf(names: readonly string[]): (cells: unknown) => Record<string, unknown> {
  return (cells) => {
    const row: Record<string, unknown> = {};
    if (Array.isArray(cells)) for (const [at, name] of names.entries()) row[name] = cells[at];
    return row;
  };
}
