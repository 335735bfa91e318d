import { lstat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { ToolError } from './tool-error.ts';

/**
 * Refuses a symbolic link on the way from an output folder to a file: what is written through it would stand in a place that nobody has
 * named. The folder itself was named, and may be one.
 *
 * @param path of the file, relative to the folder
 * @throws ToolError naming the link
 */
export async function refuseLinks(out: string, path: string): Promise<void> {
  const parts = path.split('/');
  for (const [index] of parts.entries()) {
    const part = posix.join(...parts.slice(0, index + 1));
    if (!(await isLink(join(out, part)))) continue;
    throw new ToolError(
      `${join(out, part)} is a symbolic link, and nothing is generated through one; remove it, or generate elsewhere with --out.`,
    );
  }
}

function isLink(file: string): Promise<boolean> {
  return lstat(file).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}
