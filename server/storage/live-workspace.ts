import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { ManyRows } from './many-rows.ts';
import type { Tables } from './tables.ts';
import { isPostgres } from './text-column.ts';
import { WorkspaceGone } from './workspace-gone.ts';

const lookForKeyShare = lookFor('for key share');
const lookForNoKeyUpdate = lookFor('for no key update');

/**
 * Makes sure, until the transaction ends, that rows of the workspace may be written. To be called first in each transaction
 * that adds or changes any: one look-up of one row. Where a transaction writes for several workspaces, it is called for each,
 * in the order of their ids.
 *
 * A workspace that is deleted meanwhile is emptied only after the transaction has ended. On PostgreSQL it waits for the lock of
 * the row, the weakest that there is, which no other writer waits for; on SQLite there is one writer at a time.
 *
 * @throws WorkspaceGone when the workspace was deleted, or there is none
 */
export function requireLiveWorkspace(tx: Kysely<Tables>, workspaceId: string): Promise<void> {
  return require(tx, workspaceId, lookForKeyShare);
}

/**
 * As {@link requireLiveWorkspace}, and of all transactions that call this for one workspace the others wait until this one has
 * ended: for what is decided by counting rows. Nobody else waits.
 *
 * @throws WorkspaceGone when the workspace was deleted, or there is none
 */
export function lockLiveWorkspace(tx: Kysely<Tables>, workspaceId: string): Promise<void> {
  return require(tx, workspaceId, lookForNoKeyUpdate);
}

async function require(tx: Kysely<Tables>, workspaceId: string, look: typeof lookForKeyShare): Promise<void> {
  requireLive(workspaceId, await look.execute(tx, [{ workspace_id: workspaceId }]));
}

/**
 * The look-up of {@link requireLiveWorkspace}, to be sent together with what the transaction reads first; {@link requireLive}
 * judges what it finds.
 */
export function compileLiveLook(tx: Kysely<Tables>, workspaceId: string): CompiledQuery[] {
  return lookForKeyShare.compile(tx, [{ workspace_id: workspaceId }]);
}

/** @throws WorkspaceGone when the look-up found no row */
export function requireLive(workspaceId: string, found: readonly unknown[]): void {
  if (found.length === 0) throw new WorkspaceGone(workspaceId);
}

/** Of one workspace at a time. */
function lookFor(lock: 'for key share' | 'for no key update') {
  return new ManyRows(['workspace_id'], (db, [workspace]: readonly { workspace_id: string }[]) => {
    const live = db
      .selectFrom('workspaces')
      .select(sql.lit(1).as('live'))
      .where('workspace_id', '=', workspace?.workspace_id ?? '')
      .where('deleted_at', 'is', null);
    return isPostgres(db) ? live.modifyEnd(sql.raw(lock)) : live;
  });
}
