import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipSync } from 'fflate';

/** Files by their paths, with `/` between folders. */
export type Files = ReadonlyMap<string, Uint8Array>;

/**
 * An archive of the files that depends on nothing but their paths and bytes.
 *
 * @param level of compression, from 0 for none to 9
 */
export function archive(files: Files, level: 0 | 9 = 9): Uint8Array {
  const sorted = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
  // The oldest time that an archive can hold; in the zone of the machine, since archives know none.
  const mtime = new Date(1980, 0, 1);
  return zipSync(Object.fromEntries(sorted), { level, mtime });
}

/** All files below a folder. */
export async function readTree(folder: string, prefix = ''): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    await Promise.all(
      paths.map(async (path) => [prefix + path.slice(folder.length + 1), await readFile(path)] as const),
    ),
  );
}

export function encodeText(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}
