import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const VERSION = '4.32.5';

const run = promisify(execFile);

/**
 * Schemathesis of one version, from the Python Package Index, in a virtual environment that is made once for each user.
 *
 * @returns the path of its command, or in a sentence why there is none
 */
export async function schemathesis(): Promise<{ command: string } | { missing: string }> {
  const folder = join(
    process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
    'branchline',
    `schemathesis-${VERSION}`,
  );
  const command = (within: string) => join(within, 'bin', 'schemathesis');
  if (existsSync(command(folder))) return { command: command(folder) };
  try {
    await run('python3', ['-m', 'venv', '--clear', folder]);
    await run(join(folder, 'bin', 'pip'), [
      'install',
      '--quiet',
      '--disable-pip-version-check',
      `schemathesis==${VERSION}`,
    ]);
    return { command: command(folder) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const [reason] = (error instanceof Error ? error.message : String(error)).trim().split('\n').slice(-1);
    return {
      missing: `Schemathesis ${VERSION} can't be installed, for which Python 3.10 or newer is needed: ${reason}`,
    };
  }
}
