import { cp, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const VERSION_FILE = 'inspector/src/commonMain/generated/branchline/inspector/wire/InspectorContract.kt';
const VERSION = /(LIBRARY_VERSION: String = ")[^"]*"/;

/** Copies the sources of the library, with the tag as the version that it reports. What was built there is left behind. */
export async function stage(sdk: string, folder: string, tag: string): Promise<void> {
  await cp(sdk, folder, { recursive: true, filter: (path) => basename(path) !== 'target' });
  const file = join(folder, VERSION_FILE);
  const source = await readFile(file, 'utf8');
  if (!VERSION.test(source)) throw new Error(`${file} has no LIBRARY_VERSION.`);
  await writeFile(file, source.replace(VERSION, `$1${tag}"`));
}
