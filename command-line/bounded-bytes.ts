import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isatty } from 'node:tty';
import { describeOtherKind } from './file-kind.ts';
import { UserError } from './user-error.ts';

/** More than any document has that people write. */
export const MOST_BYTES = 64 * 1024 * 1024;

/**
 * All bytes of a stream.
 *
 * @throws UserError where it has more, of which the rest is not read
 */
export async function readBytes(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes = MOST_BYTES,
): Promise<Buffer> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new UserError(`It has more than ${maxBytes} bytes.`);
    read.push(chunk);
  }
  return Buffer.concat(read);
}

/**
 * All bytes of a file, of a pipe, or of what is typed into a terminal.
 *
 * @throws UserError where it is another device, which may never end, or too large; what the system says where it can't be read
 */
export async function readFileBytes(path: string, maxBytes = MOST_BYTES): Promise<Buffer> {
  const handle = await open(path);
  return await readAndClose(handle, (stats) => refuseDevice(handle, stats), maxBytes);
}

/**
 * All bytes of a file, where nobody means to give a pipe in its place: to wait for one would be to wait in silence.
 *
 * @throws UserError where it is anything else, or too large; what the system says where it can't be read
 */
export async function readRegularFileBytes(path: string, maxBytes = MOST_BYTES): Promise<Buffer> {
  return await readAndClose(await open(path, WITHOUT_WAITING), refuseOtherKinds, maxBytes);
}

/** To open a named pipe would hold one of Node's threads, and the end of the process with it. */
export const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

async function readAndClose(handle: FileHandle, refuse: (stats: Stats) => void, maxBytes: number): Promise<Buffer> {
  try {
    refuse(await handle.stat());
    return await readBytes(handle.createReadStream({ autoClose: false }), maxBytes);
  } finally {
    await handle.close();
  }
}

function refuseOtherKinds(stats: Stats): void {
  const other = describeOtherKind(stats);
  if (other !== undefined) throw new UserError(`It is ${other}, not a regular file.`);
}

function refuseDevice({ fd }: FileHandle, stats: Stats): void {
  const isDevice = stats.isCharacterDevice() || stats.isBlockDevice();
  if (isDevice && !isatty(fd)) throw new UserError(`It is ${describeOtherKind(stats)}, not a regular file.`);
}
