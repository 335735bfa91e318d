import type { Kysely } from 'kysely';
import { UserError } from '@branchline/command-line';
import type { Tables } from '../storage/tables.ts';
import { isPostgres } from '../storage/text-column.ts';
import type { SecretHasher } from './secrets.ts';

/** The workspace was moved to another hash key, or made with one, since this process started. Over HTTP it is 503; the sentence is the operator's. */
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

/** The hash key of the workspace, in a row with the hash of a secret; null where none was found. */
export interface CheckedUnder {
  hash_key_id: string | null;
}

/**
 * Ensures that a secret which was found can be checked: under another hash key every one seems to be wrong.
 *
 * @param hashKeyId that of the workspace; null where there is none
 * @throws OtherHashKey
 */
export function requireSameHashKey(workspaceId: string, hashKeyId: string | null, { keyId }: SecretHasher): void {
  if (hashKeyId !== null && hashKeyId !== keyId) throw new OtherHashKey(workspaceId);
}
