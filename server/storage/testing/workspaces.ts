import type { Storage } from '../storage.ts';

/** Adds workspaces without accounts. */
export async function addWorkspaces({ db }: Storage, ...ids: string[]): Promise<void> {
  const rows = ids.map((id) => ({ workspace_id: id, hash_key_id: 'k', created_at: 1 }));
  await db.insertInto('workspaces').values(rows).execute();
}
