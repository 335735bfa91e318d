import type { Transaction } from 'kysely';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Tables } from '../../storage/tables.ts';
import { type BatchMark, type Delivery, joinKey } from './delivery.ts';
import { inKeyOrder } from '../rows.ts';
import type { SeenBatchRow } from '../tables.ts';

const insertIfNew = new ManyRows(
  ['workspace_id', 'source_number', 'batch_id', 'digest', 'seen_at'],
  (db, rows: readonly SeenBatchRow[]) =>
    db
      .insertInto('seen_batches')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing()),
);

/** How many ids one statement names. */
const MOST_IDS = 1_000;

/**
 * The deliveries that were made before, whole and with a last outcome for every event.
 *
 * @param numbers of the sources
 */
export async function findResentBatches(
  tx: Transaction<Tables>,
  workspaceId: string,
  deliveries: readonly Delivery[],
  numbers: ReadonlyMap<string, number>,
): Promise<ReadonlySet<Delivery>> {
  const digests = new Map<string, Uint8Array>();
  for (const [source, ofSource] of Map.groupBy(deliveries, ({ place }) => place.source)) {
    const ids = ofSource.flatMap(({ batch }) => (batch === undefined ? [] : [batch.batchId]));
    for (let start = 0; start < ids.length; start += MOST_IDS) {
      const rows = await tx
        .selectFrom('seen_batches')
        .select(['batch_id', 'digest'])
        .where('workspace_id', '=', workspaceId)
        .where('source_number', '=', numbers.get(source) ?? 0)
        .where('batch_id', 'in', ids.slice(start, start + MOST_IDS))
        .execute();
      for (const row of rows) digests.set(batchKey(source, row.batch_id), row.digest);
    }
  }
  const isResent = ({ place, batch }: Delivery): boolean => {
    const digest = batch && digests.get(batchKey(place.source, batch.batchId));
    return digest !== undefined && Buffer.compare(digest, batch?.digest ?? new Uint8Array()) === 0;
  };
  return new Set(deliveries.filter(isResent));
}

/** Remembers deliveries of which every event has its last outcome. */
export async function rememberBatches(
  tx: Transaction<Tables>,
  deliveries: readonly Delivery[],
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = new Map<string, SeenBatchRow>();
  for (const { place, batch, receivedAt } of deliveries) {
    if (batch === undefined) continue;
    rows.set(batchKey(place.source, batch.batchId), toRow(place, numbers.get(place.source) ?? 0, batch, receivedAt));
  }
  await insertIfNew.execute(tx, inKeyOrder(rows));
}

function toRow(
  { workspace_id }: Delivery['place'],
  source_number: number,
  { batchId, digest }: BatchMark,
  seen_at: number,
): SeenBatchRow {
  return { workspace_id, source_number, batch_id: batchId, digest, seen_at };
}

function batchKey(source: string, batchId: Uint8Array): string {
  return joinKey(source, Buffer.from(batchId).toString('latin1'));
}
