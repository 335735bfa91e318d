import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from '../../error-code.ts';
import { tellIfLong } from '../tell-if-long.ts';

/** Linux's flag for a file without a name, which is gone when it is closed; it includes that of a folder. */
const O_TMPFILE = 0o20_000_000 | constants.O_DIRECTORY;

/** Resolves once the disk has answered, with a file or an error. */
export type AskDisk = (folder: string) => Promise<unknown>;

/**
 * Waits until the disk of an embedded database takes new files. SQLite would have the thread wait, which could tell nobody so.
 *
 * @param onWait - Told what is waited for, as a log line, whenever that has taken a second.
 */
export async function waitForDisk(
  database: string,
  onWait: (line: string) => void = () => {},
  ask: AskDisk = makeFileWithoutName,
): Promise<void> {
  await tellIfLong(
    () => onWait(`waiting for the disk of the database file ${database}, which does not answer`),
    async () => ask(dirname(await followLinks(database))),
  );
}

/** Where there is no such file yet, its own folder does: the rest is told by what comes next. */
async function followLinks(database: string): Promise<string> {
  return realpath(database).catch(() => database);
}

/** A folder that is yet to be made is made in the one above it. What else is wrong is told by what comes next. */
async function makeFileWithoutName(folder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  try {
    const file = await open(folder, O_TMPFILE | constants.O_RDWR, 0o600);
    await file.close();
  } catch (error) {
    if (hasCode(error, 'ENOENT') && dirname(folder) !== folder) await makeFileWithoutName(dirname(folder));
  }
}
