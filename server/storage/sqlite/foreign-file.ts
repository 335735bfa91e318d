import { DatabaseSync } from 'node:sqlite';
import { UserError } from '@branchline/command-line';
import { areOurs, MIGRATION_TABLE } from '../migrate.ts';
import { BUSY_TIMEOUT_MS } from './connection.ts';
import { sizeOf } from './file-size.ts';
import { resolveLinks } from './resolve-links.ts';

/**
 * To be called before a connection is opened that may write: opening one alone changes the journal mode that the file says.
 *
 * @throws UserError when the file is another program's database: there are tables in it, and no migrations of Branchline; Error of
 * SQLite when it can't be read
 */
export function refuseForeignFile(file: string): void {
  if (sizeOf(file) === 0) return;
  // Whoever closes a log last writes it into the file, but for those who only read. Without one, they would leave an empty one there.
  const readOnly = sizeOf(`${resolveLinks(file)}-wal`) > 0;
  using database = new DatabaseSync(file, { readOnly, timeout: BUSY_TIMEOUT_MS });
  if (isOurs(database)) return;
  throw new UserError(
    `The database file ${file} belongs to another program: there are tables in it, and none of Branchline. It was not changed. ` +
      'Name another with --database.',
  );
}

function isOurs(database: DatabaseSync): boolean {
  const tables = database.prepare(
    String.raw`select name from sqlite_schema where name not like 'sqlite\_%' escape '\'`,
  );
  if (tables.get() === undefined) return true;
  const columns = database.prepare("select 1 from pragma_table_info(?) where name = 'name'");
  if (columns.get(MIGRATION_TABLE) === undefined) return false;
  const done = database.prepare(`select name from ${MIGRATION_TABLE}`).all();
  return areOurs(done.map(({ name }) => String(name)));
}
