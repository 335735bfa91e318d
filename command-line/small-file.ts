import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { WITHOUT_WAITING } from './bounded-bytes.ts';
import { describeOtherKind } from './file-kind.ts';
import { UserError } from './user-error.ts';

/** A file that somebody has named, or that has its place. */
export interface SmallFile {
  path: string;
  /** What it is, as its sentence begins: `The file of --tls-cert`. */
  what: string;
  /** What has more is refused, and not read to its end. */
  maxBytes: number;
  /** Whether somebody may have given a secret in place of its file: then no error repeats the path. Defaults to false. */
  isOfSecret?: boolean;
}

/**
 * The text of a small file, through any links.
 *
 * @throws UserError where it can't be read, is no regular file, or too large
 */
export async function readSmallFile(file: SmallFile): Promise<string> {
  try {
    return await read(file);
  } catch (error) {
    throw explain(file, error);
  }
}

/**
 * The same; undefined where there is none.
 *
 * @throws UserError as {@link readSmallFile}
 */
export async function readSmallFileIfThere(file: SmallFile): Promise<string | undefined> {
  try {
    return await readSmallFile(file);
  } catch (error) {
    if (error instanceof UserError && isMissing(error.cause)) return undefined;
    throw error;
  }
}

/**
 * The same as {@link readSmallFile}, for a program that has nothing else to do meanwhile. It waits for a pipe, so that a shell's
 * `<(…)` can stand for a file.
 *
 * @throws UserError as {@link readSmallFile}
 */
export function readSmallFileSync(file: SmallFile): string {
  try {
    const handle = openSync(file.path, statSync(file.path).isFIFO() ? constants.O_RDONLY : WITHOUT_WAITING);
    try {
      const stats = fstatSync(handle);
      if (!stats.isFIFO()) requireRegular(file, stats);
      const buffer = Buffer.alloc(file.maxBytes + 1);
      let length = 0;
      for (let bytesRead = -1; bytesRead !== 0 && length < buffer.length; length += bytesRead) {
        bytesRead = readSync(handle, buffer, length, buffer.length - length, null);
      }
      return toText(file, buffer.subarray(0, length));
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw explain(file, error);
  }
}

async function read(file: SmallFile): Promise<string> {
  const handle = await open(file.path, WITHOUT_WAITING);
  try {
    requireRegular(file, await handle.stat());
    return toText(file, await readUpTo(handle, file.maxBytes + 1));
  } finally {
    await handle.close();
  }
}

function requireRegular({ path }: SmallFile, stats: Stats): void {
  const other = describeOtherKind(stats);
  if (other !== undefined) throw new Error(`${path} is ${other}, not a regular file`);
}

function toText({ path, maxBytes }: SmallFile, bytes: Buffer): string {
  if (bytes.length > maxBytes) throw new Error(`${path} has more than ${maxBytes.toLocaleString('en')} bytes`);
  return bytes.toString('utf8');
}

function explain({ what, path, isOfSecret = false }: SmallFile, error: unknown): UserError {
  const reason = error instanceof Error ? error.message : String(error);
  return new UserError(`${what} can't be read: ${isOfSecret && path !== '' ? reason.replaceAll(path, '…') : reason}.`, {
    cause: error,
  });
}

async function readUpTo(handle: FileHandle, most: number): Promise<Buffer> {
  const buffer = Buffer.alloc(most);
  let length = 0;
  while (length < most) {
    const { bytesRead } = await handle.read(buffer, length, most - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
