import { execFile } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from '../build-package.ts';

const run = promisify(execFile);

/** The package, as its users have it. */
export interface Installed {
  /** Everything is below it. */
  readonly folder: string;
  /** A folder with the package, and nothing else. */
  readonly project: string;
  /** What the tarball holds. */
  readonly files: readonly string[];
  /** Why its dependencies can't be had, in a sentence. */
  readonly missing?: string;
}

/**
 * Builds the package, packs it, and installs the tarball in an empty folder.
 *
 * @throws Error where that fails, other than by the lack of a network.
 */
export async function installPackage(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'branchline-package-'));
  const [built, project] = [join(folder, 'built'), join(folder, 'project')];
  await buildPackage(built);
  const packed = await run('npm', ['pack', built, '--json'], { cwd: folder });
  const [tarball]: { filename: string; files: { path: string }[] }[] = JSON.parse(packed.stdout);
  const files = tarball?.files.map(({ path }) => path) ?? [];
  await mkdir(project);
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, tarball?.filename ?? '')];
  try {
    await run('npm', args, { cwd: project });
    return { folder, project, files };
  } catch (error) {
    const [code] =
      /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b/.exec(String(error)) ?? [];
    if (code === undefined) throw error;
    return { folder, project, files, missing: `the package's dependencies can't be fetched (${code})` };
  }
}
