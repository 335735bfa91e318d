import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../../storage/tables.ts';

/** For much longer than its cookie works, since the clocks of servers and database may differ. */
export const REMEMBERED_MS = 24 * 3_600_000;

/**
 * Whether the sign-in with this state has let somebody in. Requires a transaction that has locked the workspace, as does
 * {@link markFinished}: of several who come back at once, one gets in.
 */
export async function isFinished(tx: Kysely<Tables>, workspaceId: string, state: string): Promise<boolean> {
  const marks = tx.selectFrom('finished_sign_ins').select('finished_at').where('workspace_id', '=', workspaceId);
  return (await marks.where('state_hash', '=', hashState(state)).executeTakeFirst()) !== undefined;
}

/** Marks a sign-in as over, on all servers and whatever is restarted: the mark is lost only where the session is lost too. */
export async function markFinished(tx: Kysely<Tables>, workspaceId: string, state: string, now: number): Promise<void> {
  const mark = { workspace_id: workspaceId, state_hash: hashState(state), finished_at: now };
  await tx.insertInto('finished_sign_ins').values(mark).execute();
}

/** Without a key: nobody guesses 256 random bits. */
function hashState(state: string): string {
  return hash('sha256', state, 'base64url');
}
