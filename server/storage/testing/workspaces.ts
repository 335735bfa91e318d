import type { Storage } from '../storage.ts';
import { ofTest } from './statements-of-tests.ts';

/** Adds workspaces without accounts. */
export async function addWorkspaces(storage: Storage, ...ids: string[]): Promise<void> {
  const rows = ids.map((id) => ({ workspace_id: id, hash_key_id: 'k', created_at: 1 }));
  await ofTest(storage).db.insertInto('workspaces').values(rows).execute();
}
