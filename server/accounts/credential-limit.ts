import type { Kysely } from 'kysely';
import { UserError } from '@branchline/command-line';
import { lockLiveWorkspace } from '../storage/live-workspace.ts';
import type { Tables } from '../storage/tables.ts';

/** The most service accounts of a workspace, and the most API keys. */
export const MOST_CREDENTIALS = 1_000;

/** The workspace has as many as it can have. The sentence is for whoever asked for one more, on whatever way. */
export class TooManyCredentials extends UserError {}

const KINDS = { service_accounts: 'service accounts', api_keys: 'API keys' } as const;

/**
 * Makes sure that the workspace lives and may get one more account or key in this transaction, however many others are created
 * at the same time.
 *
 * @throws WorkspaceGone
 * @throws TooManyCredentials
 */
export async function requireRoomFor(
  tx: Kysely<Tables>,
  table: keyof typeof KINDS,
  workspaceId: string,
): Promise<void> {
  await lockLiveWorkspace(tx, workspaceId);
  const { count } = await tx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  if (count < MOST_CREDENTIALS) return;
  throw new TooManyCredentials(
    `This workspace already has ${MOST_CREDENTIALS} ${KINDS[table]}, the most it can have. Delete one that is not used any more.`,
  );
}
