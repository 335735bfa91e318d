import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Staged } from './stage.ts';
import { addDependencies } from './workspaces.ts';

const run = promisify(execFile);

/** A tarball, as `npm publish` would send it. */
export interface Tarball {
  name: string;
  path: string;
  /** What it holds. */
  files: string[];
}

/** Packs packages into a folder. */
export async function pack(packages: readonly Staged[], out: string): Promise<Tarball[]> {
  await mkdir(out, { recursive: true });
  return Promise.all(
    packages.map(async ({ name, folder }) => {
      const { stdout } = await run('npm', ['pack', folder, '--json', '--pack-destination', out], {
        cwd: out,
        maxBuffer: 1 << 26,
      });
      const [packed]: { filename: string; files: { path: string }[] }[] = JSON.parse(stdout);
      if (packed === undefined) throw new Error(`npm has packed nothing of ${folder}.`);
      return { name, path: join(out, packed.filename), files: packed.files.map(({ path }) => path) };
    }),
  );
}

/** Those of the tarballs that a package needs, and its own. */
export function selectTarballs(name: string, tarballs: readonly Tarball[]): string[] {
  const wanted = new Set(addDependencies([name]).map(({ manifest }) => manifest.name));
  return tarballs.filter((tarball) => wanted.has(tarball.name)).map(({ path }) => path);
}
