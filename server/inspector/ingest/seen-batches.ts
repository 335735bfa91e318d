import type { CompiledQuery, Transaction } from 'kysely';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Tables } from '../../storage/tables.ts';
import type { BatchMark, Delivery } from './delivery.ts';
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

type BatchKey = Pick<SeenBatchRow, 'source_number' | 'batch_id'>;

/** A batch that was seen, by what decided the outcome of its events. */
export type SeenBatch = BatchKey & Pick<SeenBatchRow, 'digest'>;

const findBatches = new ManyRows<Pick<SeenBatchRow, 'batch_id'>, SeenBatch>(
  ['batch_id'],
  (db, rows, [workspaceId, sourceNumber]) =>
    db
      .selectFrom('seen_batches')
      .select(['source_number', 'batch_id', 'digest'])
      .where('workspace_id', '=', String(workspaceId))
      .where('source_number', '=', Number(sourceNumber))
      .where(
        'batch_id',
        'in',
        rows.map(({ batch_id }) => batch_id),
      ),
);

/**
 * The look-up of the batches of deliveries, for {@link findResentBatches}.
 *
 * @param numbers of the sources
 */
export function compileSeenBatches(
  tx: Transaction<Tables>,
  workspaceId: string,
  deliveries: readonly Delivery[],
  numbers: ReadonlyMap<string, number>,
): CompiledQuery<SeenBatch>[] {
  const sources = Map.groupBy(deliveries, ({ place }) => place.source);
  return Array.from(sources, ([source, ofSource]) => {
    const keys = ofSource.flatMap(({ batch }) => (batch === undefined ? [] : [{ batch_id: batch.batchId }]));
    return findBatches.compile(tx, keys, [workspaceId, numbers.get(source) ?? 0]);
  }).flat();
}

/** The deliveries that were made before, whole and with a last outcome for every event. */
export function findResentBatches(
  seen: readonly SeenBatch[],
  deliveries: readonly Delivery[],
  numbers: ReadonlyMap<string, number>,
): ReadonlySet<Delivery> {
  const digests = new Map(
    seen.map(({ source_number, batch_id, digest }) => [batchKey(source_number, batch_id), digest]),
  );
  const isResent = ({ place, batch }: Delivery): boolean => {
    const digest = batch && digests.get(batchKey(numbers.get(place.source) ?? 0, batch.batchId));
    return digest !== undefined && Buffer.compare(digest, batch?.digest ?? new Uint8Array()) === 0;
  };
  return new Set(deliveries.filter(isResent));
}

/** What remembers deliveries of which every event has its last outcome. */
export function compileBatches(
  tx: Transaction<Tables>,
  deliveries: readonly Delivery[],
  numbers: ReadonlyMap<string, number>,
): CompiledQuery[] {
  const rows = new Map<string, SeenBatchRow>();
  for (const { place, batch, receivedAt } of deliveries) {
    if (batch === undefined) continue;
    const number = numbers.get(place.source) ?? 0;
    rows.set(batchKey(number, batch.batchId), toRow(place, number, batch, receivedAt));
  }
  return insertIfNew.compile(tx, inKeyOrder(rows));
}

function toRow(
  { workspace_id }: Delivery['place'],
  source_number: number,
  { batchId, digest }: BatchMark,
  seen_at: number,
): SeenBatchRow {
  return { workspace_id, source_number, batch_id: batchId, digest, seen_at };
}

function batchKey(sourceNumber: number, batchId: Uint8Array): string {
  return `${sourceNumber} ${Buffer.from(batchId).toString('latin1')}`;
}
