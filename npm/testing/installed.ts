import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { pack, type Tarball } from '../pack.ts';
import { type Staged, stagePackages } from '../stage.ts';
import { addDependencies } from '../workspaces.ts';

const run = promisify(execFile);

/** Packages as `npm run build` makes them, in a folder outside of the repository. */
export interface Packed extends AsyncDisposable {
  folder: string;
  packages: Staged[];
  tarballs: Tarball[];
}

/** Makes the packages of these names, and those of the repository that they depend on. */
export async function packWorkspaces(names: readonly string[]): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'branchline-packages-'));
  const packages = await stagePackages(addDependencies(names), join(folder, 'packages'));
  const tarballs = await pack(packages, join(folder, 'npm'));
  return { folder, packages, tarballs, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/**
 * Installs tarballs in an empty folder, by npm.
 *
 * @returns why it can't be done, in a sentence; `undefined` where it is done.
 * @throws Error where that fails, other than by the lack of a network.
 */
export async function install(tarballs: readonly string[], project: string): Promise<string | undefined> {
  await mkdir(project);
  return runNpm(['install', '--prefer-offline', ...tarballs], project);
}

/** Runs npm in a folder; as {@link install}. */
export async function runNpm(args: readonly string[], cwd: string): Promise<string | undefined> {
  try {
    await run('npm', [...args, '--no-audit', '--no-fund'], { cwd, maxBuffer: 1 << 26 });
    return undefined;
  } catch (error) {
    const [code] =
      /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b/.exec(String(error)) ?? [];
    if (code === undefined) throw error;
    return `the packages' dependencies can't be fetched (${code})`;
  }
}

/** What a shell of somebody has who has never seen the repository: this Node, and what the machine brings. */
export function makeBareEnvironment(): NodeJS.ProcessEnv {
  const path = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.endsWith('node_modules/.bin'));
  return {
    PATH: [dirname(process.execPath), ...path].join(':'),
    HOME: process.env['HOME'],
  };
}

/** How a program has ended. */
export interface Ended {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Runs an installed program by its name, in the folder that it is installed in. */
export function runInstalled(
  project: string,
  name: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const options = { cwd: project, env: { ...makeBareEnvironment(), ...environment }, maxBuffer: 1 << 26 };
  const child = execFile(join(project, 'node_modules', '.bin', name), args, options, (_error, stdout, stderr) =>
    resolve({ exitCode: child.exitCode, stdout, stderr }),
  );
  return promise;
}
