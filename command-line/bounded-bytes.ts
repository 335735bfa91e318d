import type { Stats } from 'node:fs';
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
  try {
    refuseDevice(handle, await handle.stat());
    return await readBytes(handle.createReadStream({ autoClose: false }), maxBytes);
  } finally {
    await handle.close();
  }
}

function refuseDevice({ fd }: FileHandle, stats: Stats): void {
  const isDevice = stats.isCharacterDevice() || stats.isBlockDevice();
  if (isDevice && !isatty(fd)) throw new UserError(`It is ${describeOtherKind(stats)}, not a regular file.`);
}
