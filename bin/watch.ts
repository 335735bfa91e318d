import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UserError } from '@branchline/command-line';
import { printLine } from './print.ts';

/**
 * Runs now and after every change of a file, one run at a time, until the process stops.
 *
 * @param list - The files, asked for again after each run; one may name others.
 * @throws UserError when the folder of one is removed
 */
export async function watchFiles(list: () => Promise<readonly string[]>, run: () => Promise<void>): Promise<void> {
  const { watch } = await import('chokidar');
  let files = await list();
  const runAndReport = async (): Promise<void> => {
    const read = files;
    const before = await describeFiles(read);
    try {
      await run();
      files = await list();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      process.stderr.write(`${error.message}\n`);
    }
    watcher.add([...files]);
    printLine(`Watching ${files.join(' and ')}; Ctrl+C ends it.`);
    // A file that was away when it was read, and came back before it was watched again, is no change to the watcher.
    if ((await describeFiles(read)) !== before) await runAndReport();
  };
  // Editors may write a file in several steps, so wait for the last one.
  const awaitWriteFinish = { stabilityThreshold: 50, pollInterval: 10 };
  const watcher = watch([...files], { ignoreInitial: true, awaitWriteFinish });
  await once(watcher, 'ready');
  const folderGone = Promise.withResolvers<never>();
  let last = runAndReport();
  watcher.on('all', () => {
    // In a folder that is gone chokidar looks again without pause.
    const gone = files.map((file) => dirname(resolve(file))).find((folder) => !existsSync(folder));
    if (gone === undefined) last = last.then(runAndReport);
    else folderGone.reject(new UserError(`The folder of the contract is gone: ${gone}`));
  });
  await last;
  await folderGone.promise.finally(() => watcher.close());
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
