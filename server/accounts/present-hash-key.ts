import type { Kysely } from 'kysely';
import { UserError } from '@branchline/command-line';
import type { Tables } from '../storage/tables.ts';
import { isPostgres } from '../storage/text-column.ts';
import type { SecretHasher } from './secrets.ts';

/**
 * The workspace was moved to another hash key, or made with one, since this process started. Over HTTP it is 503; the sentence is the
 * operator's.
 */
export class OtherHashKey extends UserError {
  constructor(workspaceId: string) {
    super(
      `The workspace "${workspaceId}" was moved to another hash key (branchline workspace rekey), or made with one, since this process ` +
        'started, so its secrets can neither be checked nor stored. Move all workspaces to one key, and start every server again with that.',
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

/** The hash key that a secret is stored under, in a row with its hash; null where no secret was found. */
export interface CheckedUnder {
  hash_key_id: string | null;
}

/**
 * Ensures that a secret can be checked: one that is stored under another hash key seems to be wrong.
 *
 * @param hashKeyId the one it is stored under; null where none was found
 * @throws OtherHashKey
 */
export function requireSameHashKey(workspaceId: string, hashKeyId: string | null, { keyId }: SecretHasher): void {
  if (hashKeyId !== null && hashKeyId !== keyId) throw new OtherHashKey(workspaceId);
}
