import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeOtherKind, UserError } from '@branchline/command-line';
import { printLine } from './print.ts';

/** How often it is looked whether a file has changed, in milliseconds. */
const LOOK_EVERY_MS = 100;

/** Editors write a file in several steps: the last was when nothing has changed for this long, in milliseconds. */
const SETTLED_MS = 50;

/**
 * Runs now and after every change of a file, one run at a time, until the process stops. What counts is what the files are, not what the system
 * tells of them: it tells nothing of a file that comes back between being found gone and being watched, nor of many network drives.
 *
 * @param list - The files, asked for again after each run; one may name others.
 * @throws UserError when the folder of one is removed
 */
export async function watchFiles(list: () => Promise<readonly string[]>, run: () => Promise<void>): Promise<never> {
  let files = await list();
  for (;;) {
    const read = files;
    const before = await describeFiles(read);
    try {
      await requireRegularFiles(read);
      await run();
      files = await list();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      process.stderr.write(`${error.message}\n`);
    }
    const known = await describeFiles(files);
    printLine(`Watching ${files.join(' and ')}; Ctrl+C ends it.`);
    // Otherwise one has changed while it was read.
    if ((await describeFiles(read)) === before) await waitForChange(files, known);
  }
}

/** @param known the files as they were */
async function waitForChange(files: readonly string[], known: string): Promise<void> {
  let last = known;
  while (last === known) {
    await sleep(LOOK_EVERY_MS);
    requireFolders(files);
    last = await describeFiles(files);
  }
  let before: string;
  do {
    before = last;
    await sleep(SETTLED_MS);
    last = await describeFiles(files);
  } while (last !== before);
}

function requireFolders(files: readonly string[]): void {
  const gone = files.map((file) => dirname(resolve(file))).find((folder) => !existsSync(folder));
  if (gone !== undefined) throw new UserError(`The folder of the contract is gone: ${gone}`);
}

/** To read anything else may never end. Whether one is there at all is said by what reads it. */
async function requireRegularFiles(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const found = await stat(file).catch(() => undefined);
    const other = found && describeOtherKind(found);
    if (other !== undefined) throw new UserError(`${file} is ${other}, not a regular file, and can't be watched.`);
  }
}

/** A text that is another one once a file has changed. */
async function describeFiles(files: readonly string[]): Promise<string> {
  const described = files.map((file) =>
    stat(file).then(
      ({ ino, size, mtimeMs }) => [ino, size, mtimeMs],
      () => 'gone',
    ),
  );
  return JSON.stringify(await Promise.all(described));
}
