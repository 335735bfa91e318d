import { type Kysely, sql, type TableMetadata, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import { UserError } from '@branchline/command-line';
import { migrations } from './migrations/index.ts';
import type { Tables } from './tables.ts';
import { isPostgres } from './text-column.ts';

/** The database to migrate, and the permissions. */
export interface MigrateOptions {
  /** The name of the database, for errors. */
  place: string;
  /** Whether tables may be created in an empty database. */
  create: boolean;
}

/** The table of the migrations that a database has. Any program that uses Kysely may have one of that name. */
export const MIGRATION_TABLE = 'kysely_migration';

/**
 * Migrates the database to this version of the code, in one transaction that excludes other migrations.
 *
 * @throws UserError if a newer version of the code has already migrated it, or one between two versions, it is empty and must not be
 * created, or another program has in it what stands in the way
 */
export async function migrate(tx: Transaction<Tables>, { place, create }: MigrateOptions): Promise<void> {
  const { ours, elsewhere, schema } = await findMigrationTables(tx);
  const done = ours && (await migrationsDone(tx, ours));
  if (done !== undefined && !areOurs(done)) {
    throw foreignTables(place, `its table "${MIGRATION_TABLE}" has no migrations of Branchline`);
  }
  if (done === undefined && !create) {
    throw new UserError(
      `There is nothing of Branchline in the database ${place} yet. Start the server once, create a workspace, or name another database.`,
    );
  }
  refuseNewer(done ?? [], place);
  refuseGap(done ?? [], place);
  // To find that out, Kysely would look through all tables twice more.
  if (done?.length === Object.keys(migrations).length) return;
  const { error } = await new Migrator({
    db: tx,
    provider: { getMigrations: async () => migrations },
    // By the name alone, Kysely would take that of another schema for ours.
    ...(elsewhere && schema !== undefined && { migrationTableSchema: schema }),
  }).migrateToLatest();
  if (error === undefined) return;
  if (done === undefined && isTaken(error)) throw foreignTables(place, error.message);
  throw error;
}

/** Whether any of these migrations is one of Branchline, of whatever version. */
export function areOurs(done: readonly string[]): boolean {
  return done.some((name) => name in migrations);
}

interface MigrationTables {
  /** The one that our statements find. */
  ours: TableMetadata | undefined;
  /** Whether another schema has one too. */
  elsewhere: boolean;
  /** Where it is, or will be made; undefined where there are no schemas. */
  schema: string | undefined;
}

async function findMigrationTables(tx: Transaction<Tables>): Promise<MigrationTables> {
  const tables = await tx.introspection.getTables({ withInternalKyselyTables: true });
  const found = tables.filter(({ name }) => name === MIGRATION_TABLE);
  const schema = isPostgres(tx) ? await findSchema(tx) : undefined;
  const ours = found.find((table) => schema === undefined || table.schema === schema);
  return { ours, elsewhere: found.some((table) => table !== ours), schema };
}

/** The schema whose table of migrations our statements find by its name, or else the one in which they make it. */
async function findSchema(tx: Transaction<Tables>): Promise<string | undefined> {
  const { rows } = await sql<{ schema: string | null }>`select coalesce(
    (select n.nspname from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.oid = to_regclass(${sql.lit(MIGRATION_TABLE)})), current_schema()) as schema`.execute(tx);
  return rows[0]?.schema ?? undefined;
}

/** Returns the names of the migrations that the database has. */
async function migrationsDone(tx: Transaction<Tables>, { columns }: TableMetadata): Promise<string[]> {
  if (!columns.some((column) => column.name === 'name')) return [];
  return readMigrations(tx);
}

async function readMigrations(db: Kysely<Tables>): Promise<string[]> {
  const done = await db
    .withTables<{ [MIGRATION_TABLE]: { name: string } }>()
    .selectFrom(MIGRATION_TABLE)
    .select('name')
    .execute();
  return done.map(({ name }) => name);
}

/** Whether the database has all migrations of this version, and no others; false if that can't be read. */
export async function isUpToDate(db: Kysely<Tables>): Promise<boolean> {
  const done = await readMigrations(db).catch((): string[] => []);
  return done.length === Object.keys(migrations).length && findUnknown(done) === undefined;
}

/** Returns the name of a migration of a newer version of the code, if the database, which this one has migrated, has one by now. */
export async function findUnknownMigration(db: Kysely<Tables>): Promise<string | undefined> {
  return findUnknown(await readMigrations(db));
}

function findUnknown(done: readonly string[]): string | undefined {
  return done.find((name) => !(name in migrations));
}

function refuseNewer(done: readonly string[], place: string): void {
  const unknown = findUnknown(done);
  if (unknown === undefined) return;
  throw new UserError(
    `The database ${place} belongs to a newer Branchline: it has the migration "${unknown}", which this version does not know. ` +
      'Start the newer version, or name another database.',
  );
}

/** Each migration builds on all before it. */
function refuseGap(done: readonly string[], place: string): void {
  const missing = Object.keys(migrations)
    .slice(0, done.length)
    .find((name) => !done.includes(name));
  if (missing === undefined) return;
  const after = done.toSorted().at(-1);
  throw new UserError(
    `The database ${place} can't be migrated: it has the migration "${after}", but not "${missing}", which comes before it. ` +
      'It was made by a Branchline between two versions: start that one, or name another database.',
  );
}

/** "duplicate_table" and "duplicate_object" of PostgreSQL: what another program has there has a name that ours would get. */
const TAKEN = new Set(['42P07', '42710']);

function isTaken(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && TAKEN.has(error.code);
}

function foreignTables(place: string, reason: string): UserError {
  return new UserError(
    `The database ${place} is used by another program, and Branchline has no room beside it (${reason}). Nothing was changed. ` +
      'Make a database for Branchline alone, and name that.',
  );
}
