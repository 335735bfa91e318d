import type { Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import { UserError } from '@branchline/command-line';
import { migrations } from './migrations/index.ts';
import type { Tables } from './tables.ts';

/** What is migrated, and whether it may be. */
export interface MigrateOptions {
  /** The database in words, for errors. */
  place: string;
  /** Whether tables may be made where there are none. */
  create: boolean;
}

/**
 * Brings the database up to this version of the code, in one transaction that no other migrating one runs beside.
 *
 * @throws UserError when a newer version of the code has already migrated it, or there is nothing and nothing may be made
 */
export async function migrate(tx: Transaction<Tables>, { place, create }: MigrateOptions): Promise<void> {
  const done = await migrationsDone(tx);
  if (done === undefined && !create) {
    throw new UserError(
      `There is nothing of Branchline in the database ${place} yet. Start the server once, create a workspace, or name another database.`,
    );
  }
  refuseNewer(done ?? [], place);
  const { error } = await new Migrator({
    db: tx,
    provider: { getMigrations: async () => migrations },
  }).migrateToLatest();
  if (error !== undefined) throw error;
}

/** The names of the migrations that the database has; undefined where there never was one. */
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
