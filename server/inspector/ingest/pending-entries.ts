import { takeTurn } from '@branchline/runtime';
import { type CompiledQuery, sql, type Transaction } from 'kysely';
import { v7 } from 'uuid';
import { requireWanted } from '../../storage/holder.ts';
import { ManyRows } from '../../storage/many-rows.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Tables } from '../../storage/tables.ts';
import { isPostgres } from '../../storage/text-column.ts';
import { type AcceptedCounts, type PendingCount, toPendingPlace, toPendingPlaces } from './pending-count.ts';
import type { PendingCountsRow } from '../tables.ts';

/** How many entries are read at a time, and how many bytes of them. */
const MOST_ENTRIES = 100;
const MOST_BYTES = 256 * 1024;

/** How the ids of entries begin that were summed before: they name no time, and come before all others. */
const SUMMED = '00000000-0000-';

const addEntries = new ManyRows(['workspace_id', 'entry_id', 'counts'], (db, rows: readonly PendingCountsRow[]) =>
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
  return addEntries.compile(tx, [{ workspace_id: workspaceId, entry_id: v7(), counts }]);
}

/** An entry of counts that need no summing any more. */
export function toSummedEntry(workspaceId: string, counts: readonly PendingCount[]): PendingCountsRow {
  return { workspace_id: workspaceId, entry_id: v7({ msecs: 0 }), counts: JSON.stringify(toPendingPlaces(counts)) };
}

export function isSummed({ entry_id }: Pick<PendingCountsRow, 'entry_id'>): boolean {
  return entry_id.startsWith(SUMMED);
}

export async function findNewestEntry({ db }: Storage, workspaceId: string): Promise<string | undefined> {
  const entries = db.selectFrom('pending_counts').select('entry_id').where('workspace_id', '=', workspaceId);
  return (await entries.orderBy('entry_id', 'desc').limit(1).executeTakeFirst())?.entry_id;
}

/** The oldest entries up to a given one that are summed together, in turns; those that were summed before come alone. */
export async function readEntries({ db }: Storage, workspaceId: string, upTo: string): Promise<PendingCountsRow[]> {
  const oldest = db
    .selectFrom('pending_counts')
    .where('workspace_id', '=', workspaceId)
    .where('entry_id', '<=', upTo)
    .orderBy('entry_id');
  await takeTurn(workspaceId);
  requireWanted();
  const sizes = await oldest
    .select(['entry_id', sql<number>`octet_length(counts)`.as('bytes')])
    .limit(MOST_ENTRIES)
    .execute();
  const [first] = sizes;
  if (first === undefined) return [];
  let bytes = 0;
  const tooMany = sizes.findIndex((entry, index) => {
    bytes += entry.bytes;
    return index > 0 && (bytes > MOST_BYTES || isSummed(entry) !== isSummed(first));
  });
  await takeTurn(workspaceId);
  requireWanted();
  return oldest
    .selectAll()
    .limit(tooMany === -1 ? sizes.length : tooMany)
    .execute();
}

/**
 * What takes entries away, for what is added instead of them in the same transaction, if all that are looked for are there. They
 * are locked in the order of their ids, so that two who want them wait for each other and each entry counts once.
 */
export function compileTaking(
  tx: Transaction<Tables>,
  workspaceId: string,
  entries: readonly PendingCountsRow[],
): { look: CompiledQuery<Pick<PendingCountsRow, 'entry_id'>>; take: CompiledQuery } {
  const ids = entries.map(({ entry_id }) => entry_id);
  const wanted = tx
    .selectFrom('pending_counts')
    .select('entry_id')
    .where('workspace_id', '=', workspaceId)
    .where('entry_id', 'in', ids)
    .orderBy('entry_id');
  const taken = tx.deleteFrom('pending_counts').where('workspace_id', '=', workspaceId).where('entry_id', 'in', ids);
  return { look: (isPostgres(tx) ? wanted.forUpdate() : wanted).compile(), take: taken.compile() };
}

export function compileEntries(tx: Transaction<Tables>, entries: readonly PendingCountsRow[]): CompiledQuery[] {
  return addEntries.compile(tx, entries);
}
