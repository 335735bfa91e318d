import type { Stats } from 'node:fs';

/**
 * What a path leads to in place of a regular file, as words of a sentence; undefined for a regular file. To open anything else may
 * take for ever, as it does with a named pipe, and to read it may never end.
 */
export function describeOtherKind(found: Stats): string | undefined {
  if (found.isFile()) return undefined;
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a named pipe';
  if (found.isSocket()) return 'a socket';
  return 'a device';
}
