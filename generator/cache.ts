import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findCacheFolder } from './cache-folder.ts';
import { sha256 } from './sha256.ts';

/** The most that is kept; the oldest files go first. */
const MOST_BYTES = 64 * 2 ** 20;
const MOST_FILES = 256;

/** What was kept under a key; `undefined` where there is none, or it is damaged or can't be read: it is made again then. */
export async function readCached(key: string): Promise<unknown> {
  try {
    const kept = await readFile(join(findFolder(), key), 'utf8');
    const end = kept.indexOf('\n');
    const text = kept.slice(end + 1);
    return sha256(text) === kept.slice(0, end) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value under a key. Where that can't be, later runs take longer, and that is all. */
export async function writeCached(key: string, value: object): Promise<void> {
  try {
    const folder = findFolder();
    await mkdir(folder, { recursive: true });
    const text = JSON.stringify(value);
    // The renaming lets no other run see half of it.
    const part = join(folder, `${key}.${randomUUID()}`);
    try {
      await writeFile(part, `${sha256(text)}\n${text}`);
      await rename(part, join(folder, key));
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    await removeOldest(folder);
  } catch {
    // A folder that is full, or only to be read, is no reason not to generate.
  }
}

function findFolder(): string {
  return join(findCacheFolder(), 'generate');
}

async function removeOldest(folder: string): Promise<void> {
  const names = await readdir(folder);
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { size, mtimeMs } = await stat(path);
      return { path, size, mtimeMs };
    }),
  );
  let bytes = 0;
  for (const [index, { path, size }] of files.toSorted((a, b) => b.mtimeMs - a.mtimeMs).entries()) {
    bytes += size;
    if (bytes > MOST_BYTES || index >= MOST_FILES) await rm(path, { force: true });
  }
}
