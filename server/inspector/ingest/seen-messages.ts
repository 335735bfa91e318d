import type { CompiledQuery, Transaction } from 'kysely';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Tables } from '../../storage/tables.ts';
import { type Delivery, joinKey } from './delivery.ts';
import type { ValidEvent } from './event-validator.ts';
import { SLOT_TABLES, type SlotTable } from './message-slots.ts';
import { entry, inKeyOrder } from '../rows.ts';
import type { SeenMessageRow } from '../tables.ts';
import { uuidBytes } from './uuids.ts';

/** A message, and the table that remembers it. One that is sent several times is one. */
export interface Message extends SeenMessageRow {
  table: SlotTable;
}

/** Events whose messages no one has counted yet. */
export type FreshMessages = ReadonlyMap<ValidEvent, Message>;

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

/** The messages of deliveries of one workspace. */
export class DeliveredMessages {
  readonly #events = new Map<ValidEvent, Message>();
  /** By the table, then by the name of the row. */
  readonly #tables: readonly [SlotTable, ReadonlyMap<string, Message>][];

  /** @param numbers of the sources */
  constructor(deliveries: readonly Delivery[], numbers: ReadonlyMap<string, number>) {
    const tables = new Map<SlotTable, Map<string, Message>>();
    for (const { place, events } of deliveries) {
      const source_number = numbers.get(place.source);
      if (source_number === undefined) throw new Error(`The source ${place.source} has no number.`);
      for (const event of events) {
        const message_id = uuidBytes(event.messageId);
        const message = { workspace_id: place.workspace_id, source_number, message_id, table: event.slot };
        const rows = entry(tables, event.slot, () => new Map<string, Message>());
        this.#events.set(
          event,
          entry(rows, rowName(message), () => message),
        );
      }
    }
    this.#tables = [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  /** What remembers them. The primary key decides which are new, also between processes. */
  compile(tx: Transaction<Tables>): CompiledQuery<InsertedMessage>[][] {
    return this.#tables.map(([table, rows]) => insertIfNew.get(table)?.compile(tx, inKeyOrder(rows)) ?? []);
  }

  /** @param inserted what each of {@link compile}'s lists gave: the messages that were not remembered before */
  findFresh(inserted: readonly (readonly InsertedMessage[])[]): FreshMessages {
    // Almost always.
    if (this.#tables.every(([, rows], index) => inserted[index]?.length === rows.size)) return this.#events;
    const fresh = new Set<Message | undefined>();
    for (const [index, [, rows]] of this.#tables.entries()) {
      for (const row of inserted[index] ?? []) fresh.add(rows.get(rowName(row)));
    }
    return new Map([...this.#events].filter(([, message]) => fresh.has(message)));
  }
}

type InsertedMessage = Pick<SeenMessageRow, 'source_number' | 'message_id'>;

/** What forgets messages that were not counted in the end, so that they can be sent again. */
export function compileDisowned(tx: Transaction<Tables>, messages: Iterable<Message>): CompiledQuery[] {
  const statements: CompiledQuery[] = [];
  const sorted = inKeyOrder(new Map(Array.from(messages, (one) => [joinKey(one.table, rowName(one)), one])));
  const groups = Map.groupBy(sorted, ({ table, source_number }) => joinKey(table, String(source_number)));
  for (const [first, ...rest] of groups.values()) {
    if (first === undefined) continue;
    const { table, workspace_id, source_number } = first;
    const ids = [first, ...rest].map(({ message_id }) => message_id);
    for (let start = 0; start < ids.length; start += MOST_IDS) {
      statements.push(
        tx
          .deleteFrom(table)
          .where('workspace_id', '=', workspace_id)
          .where('source_number', '=', source_number)
          .where('message_id', 'in', ids.slice(start, start + MOST_IDS))
          .compile(),
      );
    }
  }
  return statements;
}

/** How many ids one statement names. */
const MOST_IDS = 1_000;

function rowName({ source_number, message_id }: InsertedMessage): string {
  return `${source_number} ${Buffer.from(message_id).toString('latin1')}`;
}
