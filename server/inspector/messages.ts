import type { Transaction } from 'kysely';
import { ManyRows } from '../storage/many-rows.ts';
import type { Tables } from '../storage/tables.ts';
import { type Delivery, joined } from './delivery.ts';
import type { SoundEvent } from './judge.ts';
import { inKeyOrder, isOneOf, portions } from './rows.ts';
import type { SeenMessageRow } from './tables.ts';

/** Messages that no one has counted yet, by {@link messageKey}. */
export type FreshMessages = Map<string, Omit<SeenMessageRow, 'seen_at'>>;

const insertIfNew = new ManyRows(
  ['workspace_id', 'source', 'message_id', 'seen_at'],
  (db, rows: readonly SeenMessageRow[]) =>
    db
      .insertInto('seen_messages')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .returning(['workspace_id', 'source', 'message_id']),
);

/** Names a message among all sources. UUIDs are the same in either case. */
export function messageKey({ place }: Delivery, { messageId }: SoundEvent): string {
  return joined(place.workspace_id, place.source, messageId.toLowerCase());
}

/**
 * Remembers the messages of all deliveries. The primary key decides which are new, also between processes.
 *
 * @returns those that were not remembered before
 */
export async function rememberMessages(
  tx: Transaction<Tables>,
  deliveries: readonly Delivery[],
): Promise<FreshMessages> {
  const inserted = await insertIfNew.execute(tx, inKeyOrder(messageRows(deliveries)));
  return new Map(inserted.map((row) => [joined(row.workspace_id, row.source, row.message_id), row]));
}

/** Undoes {@link rememberMessages} for messages that were not counted in the end, so that they can be sent again. */
export async function disownMessages(tx: Transaction<Tables>, messages: FreshMessages): Promise<void> {
  for (const keys of portions(inKeyOrder(messages))) {
    await tx.deleteFrom('seen_messages').where(isOneOf(keys)).execute();
  }
}

function messageRows(deliveries: readonly Delivery[]): Map<string, SeenMessageRow> {
  const rows = new Map<string, SeenMessageRow>();
  for (const delivery of deliveries) {
    const { workspace_id, source } = delivery.place;
    for (const event of delivery.events) {
      const message_id = event.messageId.toLowerCase();
      rows.set(messageKey(delivery, event), { workspace_id, source, message_id, seen_at: delivery.receivedAt });
    }
  }
  return rows;
}
