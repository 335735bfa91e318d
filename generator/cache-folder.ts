import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the generator keeps what can be had again: `$XDG_CACHE_HOME/branchline`, or `~/.cache/branchline`. */
export function findCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const named = env['XDG_CACHE_HOME'];
  return join(named === undefined || named === '' ? join(homedir(), '.cache') : named, 'branchline');
}
