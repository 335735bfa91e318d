import type { ApiKey, ProgramOrPerson } from '../../accounts/principals.ts';
import { resolveActingAccount } from '../../accounts/acting-account.ts';
import type { Clock } from '../../clock.ts';
import { HttpError } from '../../http/http-error.ts';
import { NotTaken } from '../../storage/group-commit.ts';
import { workFor } from '../../storage/holder.ts';
import type { MessageHearer, Messages } from '../../storage/messages.ts';
import type { Batch, BatchReceipt } from '../ingest/ingest.ts';
import { liveBatch, type LiveEvent } from './live-batch.ts';
import type { LiveFilter } from './live-filter.ts';
import { LiveReader } from './live-reader.ts';
import { LiveRoom } from './live-room.ts';
import { OtherServers } from './other-servers.ts';

/** The maximum numbers of open streams. */
const MOST_OF_WORKSPACE = 20;
const MOST_OF_SERVER = 200;

/** The maximum duration of a stream, in milliseconds, so that vanished clients do not keep theirs. */
const LONGEST_MS = 15 * 60_000;

/** How often a reader's access is checked, and an idle stream sends something. */
const CHECKED_EACH_MS = 2_000;
const SAID_EACH_MS = 15_000;

const TICK_MS = 1_000;

export interface LiveOptions {
  /** Dates the batches. */
  clock: Clock;
  /** Milliseconds of any clock that only goes forward. Defaults to that of the process. */
  now?: () => number;
  /** Whether the reader of a stream still has access. */
  mayStill: (who: ProgramOrPerson) => Promise<boolean>;
  /** Connects the servers of one database; undefined: this is the only one. */
  messages: Messages | undefined;
  /** Called with changes in how batches of other servers arrive. */
  changed?: MessageHearer['changed'];
  /** Calls back periodically; returns a function that stops it. Defaults to `setInterval`. */
  repeat?: (callback: () => void, milliseconds: number) => () => void;
}

/** The reader of a stream, and its request. */
export interface LiveRequest {
  who: ProgramOrPerson;
  filter: LiveFilter;
  lastEventId: string | undefined;
  /** Closes the connection if the sent data does not get through, since its reader would not see the end. */
  cutOffIfStuck: () => void;
}

interface Stream extends Pick<LiveRequest, 'who' | 'cutOffIfStuck'> {
  reader: LiveReader;
  room: LiveRoom;
  openedAt: number;
  checkedAt: number;
  saidAt: number;
}

/** The live batches of a process, for those who watch. Nothing is kept or sent for workspaces that nobody watches. */
export class LiveBatches {
  readonly #options: LiveOptions;
  readonly #now: () => number;
  readonly #rooms = new Map<string, LiveRoom>();
  readonly #streams = new Set<Stream>();
  readonly #others: OtherServers | undefined;
  #stopTicking: (() => void) | undefined;
  #isClosed = false;

  constructor(options: LiveOptions) {
    const { messages, now = () => performance.now(), changed = () => {} } = options;
    this.#options = options;
    this.#now = now;
    const told = (workspaceId: string, event: LiveEvent): void => this.#rooms.get(workspaceId)?.tell(event, now());
    this.#others = messages && new OtherServers({ messages, now, changed, told });
  }

  /** Sends an answered batch to those who watch. */
  tell(key: ApiKey, batch: Batch, receipt: BatchReceipt): void {
    const { workspaceId } = key;
    const room = this.#rooms.get(workspaceId);
    const isWatchedElsewhere = this.#others?.watch(workspaceId) === true;
    if (room === undefined && !isWatchedElsewhere) return;
    const now = this.#now();
    const event = liveBatch(key, batch, receipt, this.#options.clock());
    room?.tell(event, now);
    if (isWatchedElsewhere) this.#others?.tell(workspaceId, event);
  }

  /**
   * Opens a stream. It lasts until it is returned, its reader loses access, a workspace with fewer streams needs its place, or a
   * quarter of an hour has passed.
   *
   * @throws HttpError 429 if there are too many
   * @throws NotTaken if the service is stopping
   */
  open({ who, filter, lastEventId, cutOffIfStuck }: LiveRequest): LiveReader {
    if (this.#isClosed) throw new NotTaken('The service is stopping. Try again in a moment.');
    const { workspaceId } = resolveActingAccount(who);
    const room = this.#rooms.get(workspaceId) ?? new LiveRoom();
    this.#makeRoom(room);
    this.#rooms.set(workspaceId, room);
    const now = this.#now();
    const reader = new LiveReader(filter, () => this.#leave(stream));
    const stream: Stream = { who, cutOffIfStuck, reader, room, openedAt: now, checkedAt: now, saidAt: now };
    this.#streams.add(stream);
    room.enter(reader, lastEventId);
    this.#others?.announce([...this.#rooms.keys()]);
    this.#stopTicking ??= (this.#options.repeat ?? repeat)(() => this.#tick(), TICK_MS);
    return reader;
  }

  /** Ends all streams, and accepts no more. */
  endAll(): void {
    this.#isClosed = true;
    for (const stream of this.#streams) this.#end(stream);
    this.#stopTicking?.();
  }

  async close(): Promise<void> {
    this.endAll();
    await this.#others?.close();
  }

  /** Where all streams are taken, the oldest of the workspace that has most ends, if that has more than this one will have. */
  #makeRoom({ readers: own }: LiveRoom): void {
    if (own.size >= MOST_OF_WORKSPACE) {
      const most = `This workspace has ${MOST_OF_WORKSPACE} live streams open, the most that there may be.`;
      throw tooMany(`${most} Close one of them, or try`);
    }
    if (this.#streams.size < MOST_OF_SERVER) return;
    const [oldestOfMost] = [...this.#streams].toSorted(
      ({ room: one }, { room: other }) => other.readers.size - one.readers.size,
    );
    if (oldestOfMost === undefined || oldestOfMost.room.readers.size <= own.size + 1) {
      const most = `The service has ${MOST_OF_SERVER} live streams open, the most that there may be`;
      throw tooMany(`${most}, and no workspace has more of them than yours would have. Try`);
    }
    this.#end(oldestOfMost);
  }

  #leave(stream: Stream): void {
    this.#streams.delete(stream);
    stream.room.leave(stream.reader, this.#now());
  }

  /** Ends a stream at once, even if its client reads nothing. */
  #end(stream: Stream): void {
    const { reader, room, cutOffIfStuck } = stream;
    reader.say(room.position);
    reader.end();
    this.#leave(stream);
    cutOffIfStuck();
  }

  #tick(): void {
    const now = this.#now();
    for (const stream of this.#streams) this.#lookAfter(stream, now);
    for (const [workspaceId, room] of this.#rooms) {
      room.settle(now);
      if (room.isForgotten(now)) this.#rooms.delete(workspaceId);
    }
    this.#others?.announce([...this.#rooms.keys()]);
    if (this.#rooms.size > 0) return;
    this.#stopTicking?.();
    this.#stopTicking = undefined;
  }

  #lookAfter(stream: Stream, now: number): void {
    if (now - stream.openedAt >= LONGEST_MS) return this.#end(stream);
    if (now - stream.saidAt >= SAID_EACH_MS) {
      stream.saidAt = now;
      stream.reader.say(stream.room.position);
    }
    if (now - stream.checkedAt < CHECKED_EACH_MS) return;
    // Checks of a reader never overlap.
    stream.checkedAt = Infinity;
    void this.#check(stream).finally(() => (stream.checkedAt = this.#now()));
  }

  /** If the database can't be asked now, the check is repeated. */
  async #check(stream: Stream): Promise<void> {
    const { who } = stream;
    const mayStill = await workFor(resolveActingAccount(who).workspaceId, () => this.#options.mayStill(who)).catch(
      () => true,
    );
    if (!mayStill && this.#streams.has(stream)) this.#end(stream);
  }
}

function tooMany(obstacle: string): HttpError {
  return new HttpError(429, `${obstacle} again in a moment.`, { 'retry-after': '10' });
}

function repeat(callback: () => void, milliseconds: number): () => void {
  const timer = setInterval(callback, milliseconds).unref();
  return () => clearInterval(timer);
}
