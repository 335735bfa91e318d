import { type Kysely, sql } from 'kysely';
import { workFor } from '../holder.ts';
import { EVERYONE, type MessageHearer } from '../messages.ts';
import type { Tables } from '../tables.ts';

/** No workspace: these statements share the connections as one does. */
export const HOLDER = '#live';

/** The clocks of several servers differ. */
export const DATABASE_NOW = sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`;

/** How old a message may be that is heard when the first look is taken; in milliseconds. */
const FIRST_LOOK_MS = 10_000;

/** A message may show up after one that was sent so much later: what is stored shows when its transaction ends. */
const OVERLAP_MS = 2_000;

/** How many messages one statement reads. */
const AT_ONCE = 100;

/** How far the messages to one workspace have been read. */
interface Place {
  since: number | undefined;
  /** Those that may come up again, each with when it was sent. */
  heard: Map<string, number>;
}

/** Reads the messages to everyone, and to the workspaces that are followed; one statement at a time. */
export class MessageReader {
  readonly #db: Kysely<Tables>;
  readonly #hear: MessageHearer['heard'];
  readonly #places = new Map<string, Place>([[EVERYONE, newPlace()]]);
  readonly #due = new Set<string>();
  #isReading = false;

  constructor(db: Kysely<Tables>, hear: MessageHearer['heard']) {
    this.#db = db;
    this.#hear = hear;
  }

  follow(workspaceIds: readonly string[]): void {
    const followed = new Set([EVERYONE, ...workspaceIds]);
    for (const known of this.#places.keys()) if (!followed.has(known)) this.#places.delete(known);
    for (const workspaceId of followed) {
      if (!this.#places.has(workspaceId)) this.#places.set(workspaceId, newPlace());
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
    const rows = await workFor(HOLDER, () => this.#messages(workspaceId, place));
    const last = rows.at(-1);
    if (last === undefined) return;
    place.since = last.sent_at - OVERLAP_MS;
    for (const [id, sentAt] of place.heard) if (sentAt <= place.since) place.heard.delete(id);
    for (const { message_id, sent_at } of rows) place.heard.set(message_id, sent_at);
    if (rows.length === AT_ONCE) this.#due.add(workspaceId);
    // It may be that nobody follows it any more.
    if (this.#places.get(workspaceId) === place) for (const { text } of rows) this.#hear(workspaceId, text);
  }

  #messages(workspaceId: string, { since, heard }: Place) {
    const messages = this.#db
      .selectFrom('live_messages')
      .select(['message_id', 'sent_at', 'text'])
      .where('workspace_id', '=', workspaceId)
      .where('sent_at', '>', since ?? sql<number>`${DATABASE_NOW} - ${sql.lit(FIRST_LOOK_MS)}`)
      .orderBy('sent_at')
      .limit(AT_ONCE);
    return (heard.size === 0 ? messages : messages.where('message_id', 'not in', [...heard.keys()])).execute();
  }
}

function newPlace(): Place {
  return { since: undefined, heard: new Map() };
}
