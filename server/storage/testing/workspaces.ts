import type { Storage } from '../storage.ts';
import { SecretHasher } from '../../accounts/secrets.ts';
import { ofTest } from './statements-of-tests.ts';

/** Hashes the secrets of the workspaces that are added here. */
export const TEST_HASHER = new SecretHasher(Buffer.alloc(32));

/** Adds workspaces without accounts. */
export async function addWorkspaces(storage: Storage, ...ids: string[]): Promise<void> {
  const rows = ids.map((id) => ({ workspace_id: id, hash_key_id: TEST_HASHER.keyId, created_at: 1 }));
  await ofTest(storage).db.insertInto('workspaces').values(rows).execute();
}
