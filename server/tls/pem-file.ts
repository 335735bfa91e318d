import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * The text of a file with a certificate or a key.
 *
 * @throws Error for whatever is no file: opening a named pipe, say, would hold one of Node's threads, and the end of the process
 *   with it, until somebody writes into it
 */
export async function readPemFile(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw new Error(`${file} is no file`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
