import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';

/**
 * The files that an ignore file of containers leaves of a repository: of all patterns that meet a file or a folder above it, the
 * last one counts, and `!` takes back.
 *
 * @param files paths in the repository
 */
export function contextFiles(ignoreFile: string, files: readonly string[]): string[] {
  const patterns = ignoreFile.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return files.filter((file) => {
    // For containers a name that begins with a dot is one like others, for this function not.
    const parts = file.split('/').map((part) => part.replace(/^\./, '_'));
    const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const last = patterns.findLast((pattern) =>
      paths.some((path) => matchesGlob(path, pattern.startsWith('!') ? pattern.slice(1) : pattern)),
    );
    return last === undefined || last.startsWith('!');
  });
}

/** All files of a work tree that git would keep. */
export function filesOf(repository: string): string[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  return execFileSync('git', list, { cwd: repository, encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(repository, path)));
}
