import { takeTurn } from '@branchline/runtime';
import type { Transaction } from 'kysely';
import { requireWanted, workFor, workHolding } from '../../storage/holder.ts';
import { compileLiveLook, requireLive } from '../../storage/live-workspace.ts';
import { ManyRows } from '../../storage/many-rows.ts';
import { SharedRuns } from '../../storage/shared-runs.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { executeLast, executeTogether } from '../../storage/together.ts';
import { isUnavailable } from '../../storage/transient-errors.ts';
import { CountSums } from './count-sums.ts';
import { compileTotalCounts } from './event-totals.ts';
import { compileObservationCounts, earlier, later, sum } from './observations.ts';
import { compileCountedShapes, findLost } from './lost-counts.ts';
import { type PendingCount, PendingSums } from './pending-count.ts';
import {
  compileEntries,
  compileTaking,
  findNewestEntry,
  isSummed,
  readEntries,
  toSummedEntry,
} from './pending-entries.ts';
import { inKeyOrder } from '../rows.ts';
import type { PendingCountsRow, SourceShapeRow } from '../tables.ts';
import { compileVolumeLooks, compileVolumes } from './volumes.ts';

/** How many counts one transaction settles: each changes some seven rows, of which it shares a few with others. */
const MOST_COUNTS = 128;

/** Others get a turn after this number of characters of entries. */
const CHARACTERS_IN_A_TURN = 64 * 1024;

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

const runsForReading = new SharedRuns<void>();
const runsMeanwhile = new SharedRuns<void>();

/** Has a report that is read next tell of all that was accepted before. While nothing can be written it tells of a little less. */
export async function settleForReading(storage: Storage, workspaceId: string): Promise<void> {
  if ((await findNewestEntry(storage, workspaceId)) === undefined) return;
  await runsForReading.run(storage, workspaceId, () =>
    workFor(workspaceId, () => workHolding(() => settleIfPossible(storage, workspaceId))),
  );
}

/**
 * Settles what is pending so that it does not become too much.
 *
 * @param isWanted whether to go on: what is not settled stays pending
 */
export async function settleMeanwhile(storage: Storage, workspaceId: string, isWanted: () => boolean): Promise<void> {
  await runsMeanwhile.run(storage, workspaceId, () =>
    workFor(workspaceId, () => workHolding(() => settleCounts(storage, workspaceId)), isWanted),
  );
}

async function settleIfPossible(storage: Storage, workspaceId: string): Promise<void> {
  try {
    await settleCounts(storage, workspaceId);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}

/**
 * Adds what is pending in a workspace to its observations, totals and volume, in transactions that are small however much it is:
 * entries are summed, and of the sums what one transaction can't settle is put back as entries that it can. What comes meanwhile
 * is left for the next time: under a steady load there is always more.
 */
export async function settleCounts(storage: Storage, workspaceId: string): Promise<void> {
  const newest = await findNewestEntry(storage, workspaceId);
  if (newest === undefined) return;
  for (;;) {
    const entries = await readEntries(storage, workspaceId, newest);
    if (entries.length === 0) return;
    const groups = entries.every(isSummed) ? entries.map((entry) => [entry]) : [entries];
    for (const group of groups) await settleTogether(storage, workspaceId, group);
  }
}

/** Settles what these entries have together. Where somebody else has taken one of them meanwhile, it does nothing. */
async function settleTogether(
  storage: Storage,
  workspaceId: string,
  entries: readonly PendingCountsRow[],
): Promise<void> {
  const counts = await sumInTurns(workspaceId, entries);
  const rest: PendingCountsRow[] = [];
  for (let from = MOST_COUNTS; from < counts.length; from += MOST_COUNTS) {
    rest.push(toSummedEntry(workspaceId, counts.slice(from, from + MOST_COUNTS)));
  }
  await takeTurn(workspaceId);
  requireWanted();
  const lostEvents = await storage.write((tx) =>
    replaceEntries(tx, workspaceId, { entries, counts: counts.slice(0, MOST_COUNTS), rest }),
  );
  if (lostEvents > 0) storage.lives.reportLoss(workspaceId, lostEvents);
}

async function sumInTurns(workspaceId: string, entries: readonly PendingCountsRow[]) {
  const sums = new PendingSums();
  let inTurn = 0;
  for (const { counts } of entries) {
    inTurn += counts.length;
    if (inTurn > CHARACTERS_IN_A_TURN) {
      await takeTurn(workspaceId);
      inTurn = counts.length;
    }
    sums.add(counts);
  }
  return sums.counts();
}

/** What is done in one transaction. */
interface Settlement {
  /** What is taken away. */
  entries: readonly PendingCountsRow[];
  /** What is added instead. */
  counts: readonly PendingCount[];
  /** What is pending instead. */
  rest: readonly PendingCountsRow[];
}

/**
 * In the order of tables in which what is new is added, so that two transactions never wait for each other; and with few waits for
 * answers, since on SQLite nobody else writes meanwhile.
 *
 * @returns how many events are not counted, since the database lacks what they add to
 */
async function replaceEntries(
  tx: Transaction<Tables>,
  workspaceId: string,
  { entries, counts, rest }: Settlement,
): Promise<number> {
  const { look, take } = compileTaking(tx, workspaceId, entries);
  const [live, found, counted] = await executeTogether(tx, [
    compileLiveLook(tx, workspaceId),
    [look],
    compileCountedShapes(tx, workspaceId, counts),
  ]);
  requireLive(workspaceId, live);
  if (found.length < entries.length) return 0;
  const lost = findLost(counts, counted);
  const sums = new CountSums(workspaceId);
  for (const count of counts) if (!lost.has(count)) sums.add(count);
  const changes = [
    [take],
    compileEntries(tx, rest),
    addShapeCounts.compile(tx, inKeyOrder(sums.shapes)),
    compileTotalCounts(tx, sums.totals),
    ...compileObservationCounts(tx, sums),
  ];
  const [, there, days] = await executeTogether(tx, [
    changes.flat(),
    ...compileVolumeLooks(tx, workspaceId, sums.volumes),
  ]);
  await executeLast(tx, compileVolumes(tx, sums.volumes, { there, days }));
  return lost.values().reduce((total, { count }) => total + count, 0);
}
