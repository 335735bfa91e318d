import type { Transaction } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { type Delivery, joined } from './delivery.ts';
import { inKeyOrder, isOneOf, portions } from './rows.ts';
import type { SeenBatchRow } from './tables.ts';

/** The deliveries that were made before, whole and with a last outcome for every event. */
export async function findResent(
  tx: Transaction<Tables>,
  deliveries: readonly Delivery[],
): Promise<ReadonlySet<Delivery>> {
  const digests = new Map<string, string>();
  const keys = deliveries.map(batchKey);
  for (const portion of portions(keys)) {
    const rows = await tx.selectFrom('seen_batches').selectAll().where(isOneOf(portion)).execute();
    for (const row of rows) digests.set(joined(row.workspace_id, row.source, row.batch_id), row.digest);
  }
  return new Set(
    deliveries.filter((delivery) => digests.get(joined(...Object.values(batchKey(delivery)))) === delivery.digest),
  );
}

/** Remembers deliveries of which every event has its last outcome. */
export async function rememberBatches(tx: Transaction<Tables>, deliveries: readonly Delivery[]): Promise<void> {
  const rows = new Map(
    deliveries.map((delivery): [string, SeenBatchRow] => {
      const key = batchKey(delivery);
      return [joined(...Object.values(key)), { ...key, digest: delivery.digest, seen_at: delivery.receivedAt }];
    }),
  );
  for (const portion of portions(inKeyOrder(rows))) {
    await tx
      .insertInto('seen_batches')
      .values(portion)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

function batchKey({ place, batchId }: Delivery) {
  return { workspace_id: place.workspace_id, source: place.source, batch_id: batchId };
}
