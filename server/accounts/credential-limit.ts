import type { Kysely } from 'kysely';
import { UserError } from '@branchline/command-line';
import { lockLiveWorkspace } from '../storage/live-workspace.ts';
import type { Tables } from '../storage/tables.ts';

/** The maximum number of service accounts in a workspace, and of API keys. */
export const MOST_CREDENTIALS = 1_000;

/** Thrown when a workspace has the maximum number of credentials. The sentence is for the user, of the API or the command line. */
export class TooManyCredentials extends UserError {}

const KINDS = { service_accounts: 'service accounts', api_keys: 'API keys' } as const;

/**
 * Ensures that the workspace exists and may get one more account or key in this transaction, even if others are created
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
