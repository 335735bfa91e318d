import type { Kysely } from 'kysely';
import { UserError } from '@branchline/command-line';
import type { Tables } from '../storage/tables.ts';
import { isPostgres } from '../storage/text-column.ts';
import type { SecretHasher } from './secrets.ts';

/** The workspace was moved to another hash key since this process started. Over HTTP it is 503; the sentence is the operator's. */
export class OtherHashKey extends UserError {
  constructor(workspaceId: string) {
    super(
      `The workspace "${workspaceId}" was moved to another hash key (branchline workspace rekey) since this process started, so nothing ` +
        'was stored: secrets under the old key would not work. Move all workspaces, and start every server again with the new key.',
    );
  }
}

/**
 * Ensures, until the transaction ends, that the secrets of the workspace are stored under our hash key. To be called in each
 * transaction that stores one, which began by keeping or locking the workspace.
 *
 * @throws OtherHashKey
 */
export async function requirePresentHashKey(
  tx: Kysely<Tables>,
  workspaceId: string,
  { keyId }: SecretHasher,
): Promise<void> {
  const workspace = tx.selectFrom('workspaces').select('hash_key_id').where('workspace_id', '=', workspaceId);
  const row = await (isPostgres(tx) ? workspace.forShare() : workspace).executeTakeFirst();
  if (row?.hash_key_id !== keyId) throw new OtherHashKey(workspaceId);
}
