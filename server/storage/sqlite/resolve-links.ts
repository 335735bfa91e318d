import { readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * The file that a path leads to through any links, whether it is there or not. Whatever belongs to a database stands beside
 * that: its log, its lock and its key.
 */
export function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const target = isMissing(error) ? linkTarget(path) : undefined;
    return target === undefined ? path : resolveLinks(resolve(dirname(path), target));
  }
}

/** The links that a path leads through, if it is one itself first. */
export function listLinks(path: string): string[] {
  const links: string[] = [];
  for (let at = path; ;) {
    const target = linkTarget(at);
    // Those that lead to each other lead nowhere.
    if (target === undefined || links.includes(at)) return links;
    links.push(at);
    at = resolve(dirname(at), target);
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
