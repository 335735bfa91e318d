import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where a tool of tests is kept, for this user, from one run to the next. */
export function cacheFolder(name: string): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'branchline', name);
}
