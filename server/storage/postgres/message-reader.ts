import { pauseAfter, takeTurn } from '@branchline/runtime';
import { type Kysely, sql } from 'kysely';
import { workFor } from '../holder.ts';
import { EVERYONE, type MessageHearer } from '../messages.ts';
import type { Tables } from '../tables.ts';

/** No workspace: these statements share the connections as one does. */
export const HOLDER = '#live';

/** The clocks of several servers differ. */
export const DATABASE_NOW = sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`;

/** How long a message is kept at least, and how far ahead of now it may be; in milliseconds. */
export const KEPT_MS = 30_000;

/**
 * How long before it was followed a message may have been sent and still be heard; in milliseconds. What was said to everyone tells a new
 * server who watches what before that is repeated. What is said to a workspace while it begins to be followed must not be missed.
 */
const FIRST_LOOK_MS = { everyone: 10_000, workspace: 1_000 };

/**
 * A message may show up after one that was sent so much later: what is stored shows when its transaction ends. One that is further ahead
 * of now was sent by a clock that was set back since.
 */
const OVERLAP_MS = 2_000;

/** How many that were heard are remembered at least: some come up again when the clock was set back. */
const REMEMBERED = 1_000;

/** How many messages one statement reads. */
const AT_ONCE = 100;

/** Others get a turn after messages of so many characters: each is parsed, and told to all who watch the workspace. */
const CHARACTERS_IN_A_TURN = 16 * 1024;

/**
 * Differs once messages may be gone that nobody has read: the table is not logged, so a crash empties it, and begins the statistics anew, and
 * a standby that takes over has none of it. Who empties it by hand gives it another file.
 */
const TABLE_LIFE = sql<string>`concat_ws(' ', extract(epoch from pg_stat_get_bgwriter_stat_reset_time()),
  pg_relation_filenode('live_messages'))`;

/** How far the messages to one workspace have been read. */
interface Place {
  /** From when on messages are heard, by the clock of this process. */
  from: number;
  /** The {@link TABLE_LIFE} in which they were. */
  life: string | undefined;
  /** When they were looked for. */
  lookedAt: number | undefined;
  /** When the last one was sent. */
  last: number | undefined;
  /** Those that may come up again, each with when it was sent. */
  heard: Map<string, number>;
}

/** Reads the messages to everyone, and to the workspaces that are followed; one statement at a time. */
export class MessageReader {
  readonly #db: Kysely<Tables>;
  readonly #hearer: Omit<MessageHearer, 'changed'>;
  readonly #places = new Map<string, Place>([[EVERYONE, newPlace(FIRST_LOOK_MS.everyone)]]);
  readonly #due = new Set<string>();
  #isReading = false;

  constructor(db: Kysely<Tables>, hearer: Omit<MessageHearer, 'changed'>) {
    this.#db = db;
    this.#hearer = hearer;
  }

  follow(workspaceIds: readonly string[]): void {
    const followed = new Set([EVERYONE, ...workspaceIds]);
    for (const known of this.#places.keys()) if (!followed.has(known)) this.#places.delete(known);
    for (const workspaceId of followed) {
      if (this.#places.has(workspaceId)) continue;
      this.#places.set(workspaceId, newPlace(FIRST_LOOK_MS.workspace));
      // So that it is known from now on in which life of the table its messages are.
      this.look(workspaceId);
    }
  }

  look(workspaceId: string): void {
    if (!this.#places.has(workspaceId)) return;
    this.#due.add(workspaceId);
    void this.#readDue();
  }

  lookAtAll(): void {
    for (const workspaceId of this.#places.keys()) this.look(workspaceId);
  }

  async #readDue(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    for (const workspaceId of this.#due) {
      this.#due.delete(workspaceId);
      // What can't be read now is looked for again, at the latest after some seconds.
      await this.#read(workspaceId).catch(() => {});
    }
    this.#isReading = false;
  }

  async #read(workspaceId: string): Promise<void> {
    const place = this.#places.get(workspaceId);
    if (place === undefined) return;
    const { life, now, rows } = await workFor(HOLDER, () => this.#messages(workspaceId, place));
    const isAnotherLife = place.life !== undefined && place.life !== life;
    const isTooLate = now - (place.lookedAt ?? now) >= KEPT_MS;
    place.life = life;
    place.lookedAt = now;
    // It may be that nobody follows it any more.
    const isFollowed = (): boolean => this.#places.get(workspaceId) === place;
    if ((isAnotherLife || isTooLate) && isFollowed()) this.#hearer.lost(workspaceId);
    await this.#hear(workspaceId, place, rows, isFollowed);
    if (workspaceId === EVERYONE && rows.length < AT_ONCE) this.#hearer.caughtUp();
  }

  async #hear(workspaceId: string, place: Place, rows: readonly Message[], isFollowed: () => boolean): Promise<void> {
    const last = rows.at(-1);
    if (last === undefined) return;
    const clockWentBack = rows.some(({ sent_at }) => isBefore(place, sent_at));
    const news = rows.filter(({ message_id }) => !place.heard.has(message_id));
    place.last = clockWentBack ? last.sent_at : Math.max(place.last ?? 0, last.sent_at);
    for (const { message_id, sent_at } of news) place.heard.set(message_id, sent_at);
    forgetFirst(place);
    if (rows.length === AT_ONCE) this.#due.add(workspaceId);
    if (clockWentBack && isFollowed()) this.#hearer.lost(workspaceId);
    const pause = pauseAfter(CHARACTERS_IN_A_TURN, () => takeTurn(workspaceId));
    for (const { text } of news) {
      await pause(text.length);
      if (!isFollowed()) return;
      this.#hearer.heard(workspaceId, text);
    }
  }

  async #messages(workspaceId: string, place: Place) {
    const messages = this.#db
      .selectFrom('live_messages')
      .select(['message_id', 'sent_at', 'text'])
      .where('workspace_id', '=', workspaceId)
      .where('sent_at', '>', startOf(place))
      .where('sent_at', '<=', sql<number>`${DATABASE_NOW} + ${sql.lit(OVERLAP_MS)}`)
      .orderBy('sent_at')
      .limit(AT_ONCE);
    const again = [...place.heard].filter(([, sentAt]) => overlaps(place, sentAt)).map(([id]) => id);
    const news = again.length === 0 ? messages : messages.where('message_id', 'not in', again);
    const found = await this.#db
      .selectFrom(this.#db.selectNoFrom([TABLE_LIFE.as('life'), DATABASE_NOW.as('now')]).as('present'))
      .leftJoin(news.as('news'), (join) => join.onTrue())
      .select(['life', 'now', 'message_id', 'sent_at', 'text'])
      .orderBy('sent_at')
      .execute();
    const [present] = found;
    return { life: present?.life, now: present?.now ?? 0, rows: found.flatMap(toMessage) };
  }
}

interface Message {
  message_id: string;
  sent_at: number;
  text: string;
}

/** None where there is no news. */
function toMessage({ message_id, sent_at, text }: { [Column in keyof Message]: Message[Column] | null }): Message[] {
  return message_id === null || sent_at === null || text === null ? [] : [{ message_id, sent_at, text }];
}

function newPlace(firstLookMs: number): Place {
  return {
    from: performance.now() - firstLookMs,
    life: undefined,
    lookedAt: undefined,
    last: undefined,
    heard: new Map(),
  };
}

/** Where to read from. A place that is ahead of the present is of no use: the clock was set back. */
function startOf({ from, last }: Place) {
  const firstLook = sql<number>`${DATABASE_NOW} - ${Math.min(FIRST_LOOK_MS.everyone, Math.ceil(performance.now() - from))}::bigint`;
  if (last === undefined) return firstLook;
  const since = sql<number>`${last - OVERLAP_MS}::bigint`;
  return sql<number>`case when ${since} > ${DATABASE_NOW} then ${firstLook} else ${since} end`;
}

function isBefore({ last }: Place, sentAt: number): boolean {
  return last !== undefined && sentAt <= last - OVERLAP_MS;
}

function overlaps(place: Place, sentAt: number): boolean {
  return place.last !== undefined && sentAt <= place.last && !isBefore(place, sentAt);
}

function forgetFirst(place: Place): void {
  for (const [id, sentAt] of place.heard) {
    if (place.heard.size <= REMEMBERED) return;
    if (!overlaps(place, sentAt)) place.heard.delete(id);
  }
}
