import type { Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import { UserError } from '@branchline/command-line';
import { migrations } from './migrations/index.ts';
import type { Tables } from './tables.ts';

/** The database to migrate, and the permissions. */
export interface MigrateOptions {
  /** The name of the database, for errors. */
  place: string;
  /** Whether tables may be created in an empty database. */
  create: boolean;
}

/**
 * Migrates the database to this version of the code, in one transaction that excludes other migrations.
 *
 * @throws UserError if a newer version of the code has already migrated it, or it is empty and must not be created
 */
export async function migrate(tx: Transaction<Tables>, { place, create }: MigrateOptions): Promise<void> {
  const done = await migrationsDone(tx);
  if (done === undefined && !create) {
    throw new UserError(
      `There is nothing of Branchline in the database ${place} yet. Start the server once, create a workspace, or name another database.`,
    );
  }
  refuseNewer(done ?? [], place);
  // To find that out, Kysely would look through all tables twice more.
  if (done?.length === Object.keys(migrations).length) return;
  const { error } = await new Migrator({
    db: tx,
    provider: { getMigrations: async () => migrations },
  }).migrateToLatest();
  if (error !== undefined) throw error;
}

/** Returns the names of the migrations that the database has; undefined if there never was one. */
async function migrationsDone(tx: Transaction<Tables>): Promise<string[] | undefined> {
  const tables = await tx.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return undefined;
  const done = await tx
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  return done.map(({ name }) => name);
}

function refuseNewer(done: readonly string[], place: string): void {
  const unknown = done.find((name) => !(name in migrations));
  if (unknown === undefined) return;
  throw new UserError(
    `The database ${place} belongs to a newer Branchline: it has the migration "${unknown}", which this version does not know. ` +
      'Start the newer version, or name another database.',
  );
}
