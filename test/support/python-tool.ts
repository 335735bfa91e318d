import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './cache-folder.ts';

const run = promisify(execFile);

/** A program, or in a sentence why there is none. */
export type Tool = { command: string } | { missing: string };

/** A program of the Python Package Index, in a virtual environment that is made once for each user. */
export async function pythonTool(name: string, version: string): Promise<Tool> {
  const folder = cacheFolder(`${name}-${version}`);
  const command = join(folder, 'bin', name);
  if (existsSync(command)) return { command };
  try {
    await run('python3', ['-m', 'venv', '--clear', folder]);
    await run(join(folder, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', `${name}==${version}`]);
    return { command };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const [reason] = (error instanceof Error ? error.message : String(error)).trim().split('\n').slice(-1);
    return { missing: `${name} ${version} can't be installed, for which Python 3.10 or newer is needed: ${reason}` };
  }
}
