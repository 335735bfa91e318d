import type { Kysely, Transaction } from 'kysely';
import { v7 } from 'uuid';
import { requireLiveWorkspace } from '../../storage/live-workspace.ts';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { isPostgres } from '../../storage/text-column.ts';
import { isUnavailable } from '../../storage/transient-errors.ts';
import { CountSums } from './count-sums.ts';
import { addTotalCounts } from './event-totals.ts';
import { earlier, later, sum } from './observations.ts';
import { pendingIn, sumPending } from './pending-count.ts';
import { inKeyOrder } from '../rows.ts';
import type { ObservedShapeRow, PendingCountsRow, SourceShapeRow } from '../tables.ts';
import { addVolumes } from './volumes.ts';

/** How many entries one transaction settles. */
const MOST_ENTRIES = 100;

const SOURCE_SHAPE = ['workspace_id', 'event_key', 'shape_id', 'source', 'environment'] as const;

const addShapeCounts = new ManyRows(
  [...SOURCE_SHAPE, 'count', 'first_seen', 'last_seen'],
  (db, rows: readonly SourceShapeRow[]) =>
    db
      .insertInto('source_shapes')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(SOURCE_SHAPE).doUpdateSet({
          count: sum('source_shapes', 'count'),
          first_seen: earlier('source_shapes'),
          last_seen: later('source_shapes'),
        }),
      ),
);

const addEntry = new ManyRows(['workspace_id', 'entry_id', 'counts'], (db, rows: readonly PendingCountsRow[]) =>
  db.insertInto('pending_counts').values(rows),
);

/**
 * Adds what was accepted as one row. Totals over app versions and the volume would be several rows for each event, in every
 * transaction; later they are one for all of them.
 *
 * @param hours since 1970, with what was accepted in each
 */
export async function addPendingCounts(
  tx: Transaction<Tables>,
  workspaceId: string,
  hours: ReadonlyMap<number, ReadonlyMap<string, ObservedShapeRow>>,
): Promise<void> {
  const counts = Array.from(hours, ([hour, rows]) => pendingIn(hour, rows.values())).flat();
  if (counts.length === 0) return;
  await addEntry.execute(tx, [{ workspace_id: workspaceId, entry_id: v7(), counts: JSON.stringify(counts) }]);
}

/** Adds all that is pending in a workspace to its totals and volume. */
export async function settleCounts(storage: Pick<Storage, 'write'>, workspaceId: string): Promise<void> {
  let settled: number;
  do settled = await storage.write((tx) => settleSome(tx, workspaceId));
  while (settled === MOST_ENTRIES);
}

/** Has a report that is read next tell of all that was accepted before. While nothing can be written it tells of a little less. */
export async function settleForReading(storage: Storage, workspaceId: string): Promise<void> {
  const pending = await storage.db
    .selectFrom('pending_counts')
    .select('entry_id')
    .where('workspace_id', '=', workspaceId)
    .limit(1)
    .executeTakeFirst();
  if (pending === undefined) return;
  await settleCounts(storage, workspaceId).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
  });
}

async function settleSome(tx: Transaction<Tables>, workspaceId: string): Promise<number> {
  await requireLiveWorkspace(tx, workspaceId);
  const entries = await takeEntries(tx, workspaceId);
  if (entries.length === 0) return 0;
  const sums = new CountSums(workspaceId);
  for (const count of sumPending(entries.map(({ counts }) => counts))) sums.add(count);
  await addShapeCounts.execute(tx, inKeyOrder(sums.shapes));
  await addTotalCounts(tx, sums.totals);
  await addVolumes(tx, workspaceId, sums.volumes);
  return entries.length;
}

/** Locked in the order of their ids, so that two that settle wait for each other and each entry counts once. */
async function takeEntries(tx: Kysely<Tables>, workspaceId: string): Promise<PendingCountsRow[]> {
  const oldest = tx
    .selectFrom('pending_counts')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('entry_id')
    .limit(MOST_ENTRIES);
  const entries = await (isPostgres(tx) ? oldest.forUpdate() : oldest).execute();
  const ids = entries.map(({ entry_id }) => entry_id);
  if (ids.length > 0) {
    await tx
      .deleteFrom('pending_counts')
      .where('workspace_id', '=', workspaceId)
      .where('entry_id', 'in', ids)
      .execute();
  }
  return entries;
}
