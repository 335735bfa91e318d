import { type Kysely, sql } from 'kysely';
import { requireLiveWorkspace } from '../storage/live-workspace.ts';
import type { Tables } from '../storage/tables.ts';
import { isPostgres } from '../storage/text-column.ts';

/**
 * Makes sure, until the transaction ends, that the workspace lives and that nobody else changes who belongs to it, with which
 * role, or their sign-in links: what is counted or looked up stays true. Other writers of the workspace are not held up.
 *
 * @throws WorkspaceGone when the workspace was deleted, or there is none
 */
export async function lockPeople(tx: Kysely<Tables>, workspaceId: string): Promise<void> {
  await requireLiveWorkspace(tx, workspaceId);
  // SQLite has one writer at a time.
  if (!isPostgres(tx)) return;
  const workspace = tx.selectFrom('workspaces').select(sql.lit(1).as('locked')).where('workspace_id', '=', workspaceId);
  await workspace.forNoKeyUpdate().execute();
}
