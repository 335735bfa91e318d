import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { describeOtherKind } from './file-kind.ts';
import { UserError } from './user-error.ts';

/** A file that somebody has named, or that has its place. */
export interface SmallFile {
  path: string;
  /** What it is, as its sentence begins: `The file of --tls-cert`. */
  what: string;
  /** What has more is refused, and not read to its end. */
  maxBytes: number;
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`${file.what} can't be read: ${reason}.`, { cause: error });
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

async function read({ path, maxBytes }: SmallFile): Promise<string> {
  // Without waiting: to open a named pipe would hold one of Node's threads, and the end of the process with it.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const other = describeOtherKind(await handle.stat());
    if (other !== undefined) throw new Error(`${path} is ${other}, not a regular file`);
    const bytes = await readUpTo(handle, maxBytes + 1);
    if (bytes.length > maxBytes) throw new Error(`${path} has more than ${maxBytes.toLocaleString('en')} bytes`);
    return bytes.toString('utf8');
  } finally {
    await handle.close();
  }
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
