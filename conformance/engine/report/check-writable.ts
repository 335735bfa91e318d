import { open, rm } from 'node:fs/promises';

/**
 * Opens a file for writing, and leaves it as it was.
 *
 * @throws the error of the file system where it can't be written.
 */
export async function checkFileWritable(path: string): Promise<void> {
  const file = await open(path, 'a');
  const state = await file.stat();
  await file.close();
  if (state.isFile() && state.size === 0) await rm(path);
}
