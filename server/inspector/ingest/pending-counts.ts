import type { CompiledQuery, Kysely, Transaction } from 'kysely';
import { v7 } from 'uuid';
import { requireLiveWorkspace } from '../../storage/live-workspace.ts';
import { ManyRows } from '../../storage/many-rows.ts';
import { SharedRuns } from '../../storage/shared-runs.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { isPostgres } from '../../storage/text-column.ts';
import { executeTogether } from '../../storage/together.ts';
import { isUnavailable } from '../../storage/transient-errors.ts';
import { CountSums } from './count-sums.ts';
import { compileTotalCounts } from './event-totals.ts';
import { compileObservationCounts, earlier, later, sum } from './observations.ts';
import { findLost } from './lost-counts.ts';
import { type AcceptedCounts, sumPending, toPendingPlace } from './pending-count.ts';
import { inKeyOrder } from '../rows.ts';
import type { PendingCountsRow, SourceShapeRow } from '../tables.ts';
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
 * What adds all that was accepted, as one row. What it changes would be several rows for each event, in every transaction, and
 * rows that all servers want; later they are one for many of them.
 */
export function compilePendingCounts(
  tx: Transaction<Tables>,
  workspaceId: string,
  accepted: AcceptedCounts,
): CompiledQuery[] {
  const places = accepted.places();
  if (places.length === 0) return [];
  const counts = JSON.stringify(places.map(toPendingPlace));
  return addEntry.compile(tx, [{ workspace_id: workspaceId, entry_id: v7(), counts }]);
}

/** Adds what is pending in a workspace, up to an entry if one is named, to its observations, totals and volume. */
export async function settleCounts(
  storage: Pick<Storage, 'write' | 'lives'>,
  workspaceId: string,
  upTo?: string,
): Promise<void> {
  let settled: Settled;
  do {
    settled = await storage.write((tx) => settleSome(tx, workspaceId, upTo));
    if (settled.lostEvents > 0) storage.lives.reportLoss(workspaceId, settled.lostEvents);
  } while (settled.entries === MOST_ENTRIES);
}

interface Settled {
  entries: number;
  /** How many events are not counted, since the database lacks what they add to. */
  lostEvents: number;
}

/** Has a report that is read next tell of all that was accepted before. While nothing can be written it tells of a little less. */
export async function settleForReading(storage: Storage, workspaceId: string): Promise<void> {
  if ((await newestEntry(storage, workspaceId)) === undefined) return;
  await settlings.run(storage, workspaceId, () => settleUntilNow(storage, workspaceId));
}

const settlings = new SharedRuns<void>();

/** What comes meanwhile is left for the next time: under a steady load there is always more. */
async function settleUntilNow(storage: Storage, workspaceId: string): Promise<void> {
  try {
    const newest = await newestEntry(storage, workspaceId);
    if (newest !== undefined) await settleCounts(storage, workspaceId, newest);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}

async function newestEntry({ db }: Storage, workspaceId: string): Promise<string | undefined> {
  const entries = db.selectFrom('pending_counts').select('entry_id').where('workspace_id', '=', workspaceId);
  return (await entries.orderBy('entry_id', 'desc').limit(1).executeTakeFirst())?.entry_id;
}

async function settleSome(tx: Transaction<Tables>, workspaceId: string, upTo: string | undefined): Promise<Settled> {
  await requireLiveWorkspace(tx, workspaceId);
  const entries = await takeEntries(tx, workspaceId, upTo);
  if (entries.length === 0) return { entries: 0, lostEvents: 0 };
  const sums = new CountSums(workspaceId);
  const pending = sumPending(entries.map(({ counts }) => counts));
  const lost = await findLost(tx, workspaceId, pending);
  for (const count of pending) if (!lost.has(count)) sums.add(count);
  // In the order of tables in which what is new is added, so that two transactions never wait for each other.
  await executeTogether(tx, [
    addShapeCounts.compile(tx, inKeyOrder(sums.shapes)),
    compileTotalCounts(tx, sums.totals),
    ...compileObservationCounts(tx, sums),
  ]);
  await addVolumes(tx, workspaceId, sums.volumes);
  return { entries: entries.length, lostEvents: lost.values().reduce((sum, { count }) => sum + count, 0) };
}

/** Locked in the order of their ids, so that two that settle wait for each other and each entry counts once. */
async function takeEntries(
  tx: Kysely<Tables>,
  workspaceId: string,
  upTo: string | undefined,
): Promise<PendingCountsRow[]> {
  let oldest = tx
    .selectFrom('pending_counts')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('entry_id')
    .limit(MOST_ENTRIES);
  if (upTo !== undefined) oldest = oldest.where('entry_id', '<=', upTo);
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
