import { type Kysely, sql } from 'kysely';
import { requireLiveWorkspace } from '../storage/live-workspace.ts';
import type { Tables } from '../storage/tables.ts';
import { isPostgres } from '../storage/text-column.ts';

/**
 * Ensures, until the transaction ends, that the workspace exists and that nobody else changes its people, their
 * roles or their sign-in links, so that counts and look-ups stay valid. Other writers of the workspace do not wait.
 *
 * @throws WorkspaceGone if the workspace was deleted or never existed
 */
export async function lockPeople(tx: Kysely<Tables>, workspaceId: string): Promise<void> {
  await requireLiveWorkspace(tx, workspaceId);
  // SQLite has only one writer at a time.
  if (!isPostgres(tx)) return;
  const workspace = tx.selectFrom('workspaces').select(sql.lit(1).as('locked')).where('workspace_id', '=', workspaceId);
  await workspace.forNoKeyUpdate().execute();
}
