import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { v7 as uuid } from 'uuid';
import { workFor } from '../holder.ts';
import type { Hearing, MessageHearer, Messages } from '../messages.ts';
import type { Tables } from '../tables.ts';
import { DATABASE_NOW, HOLDER, KEPT_MS, MessageReader } from './message-reader.ts';
import { NotificationListener } from './notification-listener.ts';

/** On PostgreSQL only. */
export interface MessageTables {
  live_messages: { workspace_id: string; message_id: string; sent_at: number; text: string };
}

/** How often a workspace's old messages are dropped, in milliseconds. */
const PRUNED_EACH_MS = 10_000;

/** How many messages one statement drops. */
const BITE = 1_000;

/** How often messages are looked for: where notifications come, only in case that one was lost. */
const POLL_MS = 500;
const POLL_IN_CASE_MS = 5_000;

const CHANNEL = 'branchline_live';

/**
 * Messages in a table of PostgreSQL. A notification (`NOTIFY`) only says that there is one, and for which workspace: so it is never too
 * long, what one that was lost told of is found all the same, and where none comes, behind a proxy that pools transactions, looking
 * often does as well.
 */
export class SharedMessages implements Messages {
  readonly #db: Kysely<Tables>;
  readonly #url: string;
  readonly #pruned = new LRUCache<string, true>({ max: 1_000, ttl: PRUNED_EACH_MS });

  /** @param url where notifications come from; a secret */
  constructor(db: Kysely<Tables>, url: string) {
    this.#db = db;
    this.#url = url;
  }

  async send(workspaceId: string, text: string): Promise<number> {
    return workFor(HOLDER, async () => {
      const { rows } = await sql<{ sent_at: number }>`with message as (
          insert into live_messages (workspace_id, message_id, sent_at, text)
          values (${workspaceId}, ${uuid()}, ${DATABASE_NOW}, ${text}) returning workspace_id, sent_at
        ) select sent_at, pg_notify(${sql.lit(CHANNEL)}, workspace_id) from message`.execute(this.#db);
      if (!this.#pruned.has(workspaceId)) await this.#prune(workspaceId);
      return rows[0]?.sent_at ?? 0;
    });
  }

  async #prune(workspaceId: string): Promise<void> {
    this.#pruned.set(workspaceId, true);
    await this.#db.deleteFrom('live_messages').where('workspace_id', '=', workspaceId).where(IS_USELESS).execute();
  }

  hear({ changed, ...hearer }: MessageHearer): Hearing {
    const reader = new MessageReader(this.#db, hearer);
    let way: 'listening' | 'polling' = 'polling';
    let timer: NodeJS.Timeout | undefined;
    const poll = (): void => {
      clearInterval(timer);
      timer = setInterval(() => reader.lookAtAll(), way === 'listening' ? POLL_IN_CASE_MS : POLL_MS).unref();
    };
    const listener = new NotificationListener({
      url: this.#url,
      channel: CHANNEL,
      notify: (payload) => this.#notify(payload),
      notified: (workspaceId) => reader.look(workspaceId),
      changed: (isListening) => {
        way = isListening ? 'listening' : 'polling';
        poll();
        reader.lookAtAll();
        changed(way);
      },
    });
    poll();
    listener.start();
    return {
      follow: (workspaceIds) => reader.follow(workspaceIds),
      close: async () => {
        clearInterval(timer);
        reader.follow([]);
        await listener.close();
      },
    };
  }

  async forget(): Promise<'more' | 'done'> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('live_messages')
      .where(
        ({ refTuple, selectFrom }) =>
          sql<boolean>`${refTuple('workspace_id', 'message_id')} in ${selectFrom('live_messages')
            .select(['workspace_id', 'message_id'])
            .where(IS_USELESS)
            .limit(BITE)}`,
      )
      .executeTakeFirst();
    return numDeletedRows < BITE ? 'done' : 'more';
  }

  async forgetWorkspace(workspaceId: string): Promise<void> {
    await this.#db.deleteFrom('live_messages').where('workspace_id', '=', workspaceId).execute();
  }

  async #notify(payload: string): Promise<void> {
    await workFor(HOLDER, () => sql`select pg_notify(${sql.lit(CHANNEL)}, ${payload})`.execute(this.#db));
  }
}

/** Too old to be heard, or sent by a clock that was so much ahead. */
const IS_USELESS = sql<boolean>`abs(sent_at - ${DATABASE_NOW}) >= ${sql.lit(KEPT_MS)}`;
