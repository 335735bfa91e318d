import { statSync } from 'node:fs';

/** How many bytes a file has; 0 where there is none. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
