import { readdir, readFile } from 'node:fs/promises';
import { RUNTIME_SOURCES } from '../own-package.ts';

const FOLDERS = {
  runtime: RUNTIME_SOURCES,
  scaffold: new URL('../targets/server/templates/', import.meta.url),
  client: new URL('../targets/client/templates/', import.meta.url),
  outgoing: new URL('../targets/client/templates/outgoing/', import.meta.url),
};

/** The TypeScript files that are copied as they are, by name, in the order of their names. */
export async function readCopiedFiles(folder: keyof typeof FOLDERS): Promise<[name: string, text: string][]> {
  const place = FOLDERS[folder];
  const names = (await readdir(place)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')).toSorted();
  return Promise.all(
    names.map(async (file): Promise<[string, string]> => [file, await readFile(new URL(file, place), 'utf8')]),
  );
}
