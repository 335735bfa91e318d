import type { Kysely } from 'kysely';

/** A deleted workspace leaves its row behind: `deleted_at` ends it, `emptied_at` says that nothing else of it is left. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('workspaces').addColumn('deleted_at', 'bigint').execute();
  await db.schema.alterTable('workspaces').addColumn('emptied_at', 'bigint').execute();
}
