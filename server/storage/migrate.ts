import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { UserError } from '../user-error.ts';
import { migrations } from './migrations/index.ts';
import type { Tables } from './tables.ts';

/**
 * Brings the database up to this version of the code; safe when several processes do it at once.
 *
 * @param place the database in words, for the error
 * @throws UserError when a newer version of the code has already migrated it
 */
export async function migrate(db: Kysely<Tables>, place: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  await refuseNewer(db, place);
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function refuseNewer(db: Kysely<Tables>, place: string): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return;
  const done = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  const unknown = done.find(({ name }) => !(name in migrations));
  if (unknown === undefined) return;
  throw new UserError(
    `The database ${place} belongs to a newer Branchline: it has the migration "${unknown.name}", which this version does not know. ` +
      'Start the newer version, or name another database.',
  );
}
