import type { Transaction } from 'kysely';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Tables } from '../../storage/tables.ts';
import { type Delivery, joinKey } from './delivery.ts';
import type { ValidEvent } from './event-validator.ts';
import { SLOT_TABLES, type SlotTable } from './message-slots.ts';
import { entry, inKeyOrder } from '../rows.ts';
import type { SeenMessageRow } from '../tables.ts';
import { uuidBytes } from './uuids.ts';

/** A message, and the table that remembers it. */
interface Message extends SeenMessageRow {
  table: SlotTable;
}

/** Messages that no one has counted yet, by {@link messageKey}. */
export type FreshMessages = Map<string, Message>;

const insertIfNew = new Map(
  SLOT_TABLES.map((table) => [
    table,
    new ManyRows(['workspace_id', 'source_number', 'message_id'], (db, rows: readonly SeenMessageRow[]) =>
      db
        .insertInto(table)
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .returning(['source_number', 'message_id']),
    ),
  ]),
);

/** Names a message among all sources of a workspace. UUIDs are the same in either case. */
export function messageKey({ place }: Delivery, { messageId, slot }: ValidEvent): string {
  return joinKey(place.source, slot, messageId.toLowerCase());
}

/**
 * Remembers the messages of all deliveries, which are of one workspace. The primary key decides which are new, also between
 * processes.
 *
 * @param numbers of the sources
 * @returns those that were not remembered before
 */
export async function rememberMessages(
  tx: Transaction<Tables>,
  deliveries: readonly Delivery[],
  numbers: ReadonlyMap<string, number>,
): Promise<FreshMessages> {
  const fresh: FreshMessages = new Map();
  for (const [table, messages] of byTable(deliveries, numbers)) {
    const inserted = (await insertIfNew.get(table)?.execute(tx, inBytewiseOrder(messages))) ?? [];
    for (const { source_number, message_id } of inserted) {
      const [key, message] = messages.get(rowName(source_number, message_id)) ?? [];
      if (key !== undefined && message !== undefined) fresh.set(key, message);
    }
  }
  return fresh;
}

/** Undoes {@link rememberMessages} for messages that were not counted in the end, so that they can be sent again. */
export async function disownMessages(tx: Transaction<Tables>, messages: FreshMessages): Promise<void> {
  const groups = Map.groupBy(inKeyOrder(messages), (message) => joinKey(message.table, String(message.source_number)));
  for (const [first, ...rest] of groups.values()) {
    if (first === undefined) continue;
    const ids = [first, ...rest].map(({ message_id }) => message_id);
    for (let start = 0; start < ids.length; start += MOST_IDS) {
      await tx
        .deleteFrom(first.table)
        .where('workspace_id', '=', first.workspace_id)
        .where('source_number', '=', first.source_number)
        .where('message_id', 'in', ids.slice(start, start + MOST_IDS))
        .execute();
    }
  }
}

/** How many ids one statement names. */
const MOST_IDS = 1_000;

/** The messages of each table, by what names their row there; one that is sent twice is one. */
function byTable(deliveries: readonly Delivery[], numbers: ReadonlyMap<string, number>) {
  const tables = new Map<SlotTable, Map<string, [key: string, message: Message]>>();
  for (const delivery of deliveries) {
    const { workspace_id, source } = delivery.place;
    const source_number = numbers.get(source);
    if (source_number === undefined) throw new Error(`The source ${source} has no number.`);
    for (const event of delivery.events) {
      const message = { workspace_id, source_number, message_id: uuidBytes(event.messageId), table: event.slot };
      const rows = tables.get(event.slot) ?? new Map<string, [string, Message]>();
      tables.set(event.slot, rows);
      entry(rows, rowName(source_number, message.message_id), () => [messageKey(delivery, event), message]);
    }
  }
  return [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function inBytewiseOrder(messages: ReadonlyMap<string, readonly [string, Message]>): Message[] {
  return inKeyOrder(messages).map(([, message]) => message);
}

function rowName(sourceNumber: number, messageId: Uint8Array): string {
  return `${sourceNumber} ${Buffer.from(messageId).toString('latin1')}`;
}
