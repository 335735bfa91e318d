import { type BigIntStats, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readSmallFile, UserError } from '@branchline/command-line';
import { sizeOf } from './file-size.ts';
import { resolveLinks } from './resolve-links.ts';

/**
 * The write-ahead log of a database that went away while it was in use. It holds what was stored last, and SQLite would write it
 * into whatever database is put in that place. So it gets another name, with a mark beside it of the database that it belongs to.
 */
export const setAsideLogPath = (file: string) => `${file}-wal.lost`;

const markPath = (log: string) => `${log}.json`;

const MAX_MARK_BYTES = 4_096;

/** What a database file and the one that comes back in its place have in common, also where it was moved over a border of file systems. */
type Mark = Record<'size' | 'modifiedNs', string>;

/**
 * @param file where the database was, through any links
 * @param seen the database file as it was before it went away, while nothing is open any more
 */
export function setLogAside(file: string, seen: BigIntStats): void {
  const log = setAsideLogPath(file);
  rmSync(markPath(log), { force: true });
  writeFileSync(markPath(log), JSON.stringify(mark(seen)), { mode: 0o600, flag: 'wx' });
  renameSync(`${file}-wal`, log);
}

/**
 * Puts a log that was set aside back where SQLite finds it, if its database is back as it was. To be called before the database
 * is opened.
 *
 * @returns what was done, in a sentence; undefined where there is no such log
 * @throws UserError when the database that is there is another, or has changed
 */
export async function putLogBack(database: string): Promise<string | undefined> {
  const file = resolveLinks(database);
  const log = setAsideLogPath(file);
  if (!existsSync(log)) return undefined;
  const wal = `${file}-wal`;
  if (!(await belongsTo(database, log)) || sizeOf(wal) > 0) {
    throw new UserError(
      `The file ${log} holds what was stored last in a database that went away while it was in use, and the database file ` +
        `${database} is not that one as it was. Put that file back, by moving it, and start again; or, where it is gone for ` +
        `good and ${database} was restored from a backup or is to be used without that, move ${log} to another folder.`,
    );
  }
  renameSync(log, wal);
  rmSync(markPath(log), { force: true });
  return `The database file ${database} is back, and so is what was stored in it last: ${log} was put back as ${wal}.`;
}

async function belongsTo(database: string, log: string): Promise<boolean> {
  const found = statSync(database, { bigint: true, throwIfNoEntry: false });
  if (found === undefined || !existsSync(markPath(log))) return false;
  const path = markPath(log);
  const expected = readMark(await readSmallFile({ path, what: `The file ${path}`, maxBytes: MAX_MARK_BYTES }));
  const { size, modifiedNs } = mark(found);
  return expected?.['size'] === size && expected['modifiedNs'] === modifiedNs;
}

/** Undefined where the file was damaged: then nobody knows which database it is of. */
function readMark(text: string): Partial<Record<string, unknown>> | undefined {
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function mark({ size, mtimeNs }: BigIntStats): Mark {
  return { size: String(size), modifiedNs: String(mtimeNs) };
}
