import type { Clock } from '../clock.ts';
import { makeDue } from '../maintenance/lease.ts';
import { LongRest } from '../maintenance/steps.ts';
import type { MaintenanceTask } from '../maintenance/task.ts';
import { deleteRows } from '../storage/delete-rows.ts';
import type { Storage } from '../storage/storage.ts';
import { WORKSPACE_TABLES } from '../storage/tables.ts';
import { isPostgres } from '../storage/text-column.ts';

const TASK = 'emptyWorkspaces';

/**
 * For how long the rows of a workspace stay at least after its end, in milliseconds: who was let in before, and has read them by then, has
 * read all of them.
 */
export const ROWS_STAY_MS = 1_000;

/**
 * Ends a workspace. From the commit on its credentials are refused and no transaction begins to write for it; its rows are left
 * for {@link emptyingWorkspaces}, which is due from now on, should this process do no more.
 *
 * @returns whether it has ended, now or before; false when there is none
 */
export function endWorkspace(storage: Storage, workspaceId: string, now: number): Promise<boolean> {
  return storage.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('workspaces')
      .set(({ fn, val }) => ({ deleted_at: fn.coalesce('deleted_at', val(now)) }))
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await makeDue(tx, TASK);
    return true;
  });
}

/** Whether nothing of a workspace that has ended is left but its row. */
export async function isEmptied({ db }: Storage, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('workspaces')
    .select('emptied_at')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row !== undefined && row.emptied_at !== null;
}

/** Deletes all that workspaces which have ended leave behind, also where that was begun before and interrupted. */
export function emptyingWorkspaces(
  storage: Storage,
  clock: Clock,
  onDeleted: (rows: number) => void = () => {},
): MaintenanceTask {
  const tables = isPostgres(storage.db) ? ([...WORKSPACE_TABLES, 'rate_limits'] as const) : WORKSPACE_TABLES;
  return {
    name: TASK,
    async *steps() {
      for (let ended = await findNextEnded(storage); ended !== undefined; ended = await findNextEnded(storage)) {
        await waitForWriters(storage, ended);
        yield new LongRest(ROWS_STAY_MS);
        for await (const rows of deleteRows(storage, ended, tables)) {
          onDeleted(rows);
          yield;
        }
        await storage.messages?.forgetWorkspace(ended);
        await markEmptied(storage, ended, clock());
        yield;
      }
    },
  };
}

async function findNextEnded({ db }: Storage): Promise<string | undefined> {
  const row = await db
    .selectFrom('workspaces')
    .select('workspace_id')
    .where('deleted_at', 'is not', null)
    .where('emptied_at', 'is', null)
    .orderBy('deleted_at')
    .orderBy('workspace_id')
    .limit(1)
    .executeTakeFirst();
  return row?.workspace_id;
}

/**
 * Waits for the transactions that found the workspace alive. They lock its row `for key share`, for which PostgreSQL has only
 * the end of a row wait; and one that has read the row but not locked it yet then finds that it is gone. So the row is replaced.
 */
function waitForWriters(storage: Storage, workspaceId: string): Promise<void> {
  return storage.write(async (tx) => {
    const row = await tx
      .deleteFrom('workspaces')
      .where('workspace_id', '=', workspaceId)
      .returningAll()
      .executeTakeFirstOrThrow();
    await tx.insertInto('workspaces').values(row).execute();
  });
}

async function markEmptied(storage: Storage, workspaceId: string, now: number): Promise<void> {
  await storage.write((tx) =>
    tx.updateTable('workspaces').set({ emptied_at: now }).where('workspace_id', '=', workspaceId).execute(),
  );
}
