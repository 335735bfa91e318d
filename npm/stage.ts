import { existsSync } from 'node:fs';
import { cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { bundleServer } from './bundle.ts';
import { type Compiled, compile } from './compile.ts';
import { DOCUMENTS, relink } from './documents.ts';
import { listPackages, findReachable } from './imports.ts';
import { makeManifest } from './manifest.ts';
import { type Manifest, REPOSITORY, type Workspace } from './workspaces.ts';

/** A package as a folder, which `npm pack` turns into a tarball. */
export interface Staged {
  name: string;
  folder: string;
}

/**
 * Makes the packages of workspaces, each in a folder of its workspace's name. Every file has the place in its package that its
 * source has in the workspace, so what it reads beside itself is found as before.
 *
 * @throws Error where a source does not compile, or a dependency is missing or not used.
 */
export async function stagePackages(workspaces: readonly Workspace[], out: string): Promise<Staged[]> {
  const compiled = compile(await listEntries(workspaces));
  for (const workspace of workspaces) {
    await stage(workspace, compiled, workspaces, out);
    if (workspace.folder === 'server') await bundleServer(join(out, workspace.folder));
  }
  for (const { folder, manifest } of workspaces) {
    for (const name of manifest.bundleDependencies ?? []) {
      const from = workspaces.find((one) => one.manifest.name === name)?.folder ?? '';
      await cp(join(out, from), join(out, folder, 'node_modules', name), { recursive: true });
    }
  }
  return workspaces.map(({ folder, manifest }) => ({ name: manifest.name, folder: join(out, folder) }));
}

async function listEntries(workspaces: readonly Workspace[]): Promise<string[]> {
  const entries = await Promise.all(
    workspaces.map(async (workspace) => [
      ...listDoors(workspace).map((path) => `${path}.ts`),
      ...(await readLaunchers(workspace)).flatMap(({ program }) => program),
    ]),
  );
  return entries.flat();
}

/** What others may import, as paths in the repository without `.ts`. */
function listDoors({ folder, manifest }: Workspace): string[] {
  return Object.values(manifest.exports)
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path.slice(0, -'.ts'.length)));
}

interface Launcher {
  /** Path in the workspace. */
  path: string;
  text: string;
  /** The source that it imports, as a path in the repository. */
  program: string[];
}

/** The programs of a workspace: JavaScript as it is, so that any Node can read them. */
function readLaunchers({ folder, manifest }: Workspace): Promise<Launcher[]> {
  return Promise.all(
    Object.values(manifest.bin ?? {}).map(async (path) => {
      const text = await readFile(join(REPOSITORY, folder, path), 'utf8');
      const program = ts
        .preProcessFile(text, true, true)
        .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
        .map(({ fileName }) => join(folder, dirname(path), fileName));
      return { path, text, program };
    }),
  );
}

async function stage(
  workspace: Workspace,
  compiled: Compiled,
  workspaces: readonly Workspace[],
  out: string,
): Promise<void> {
  const { folder, manifest } = workspace;
  const launchers = await readLaunchers(workspace);
  const programs = launchers.flatMap(({ program }) => program.map((path) => path.replace(/\.ts$/, '.js')));
  const doors = listDoors(workspace);
  const code = findReachable(compiled, [...doors.map((path) => `${path}.js`), ...programs]);
  const types = findReachable(
    compiled,
    doors.map((path) => `${path}.d.ts`),
  );
  const maps = code.map((path) => `${path}.map`).filter((path) => compiled.has(path));
  for (const path of [...code, ...types, ...maps]) await write(join(out, path), compiled.get(path) ?? '');
  for (const { path, text } of launchers) {
    await write(join(out, folder, path), text.replaceAll(/(?<=import\('\.[^']+)\.ts(?='\))/g, '.js'));
  }
  await copyAsTheyAre(workspace, out);
  const bundled = workspaces.filter((one) => manifest.bundleDependencies?.includes(one.manifest.name));
  const packed = makeManifest(workspace, listPackages(compiled, [...code, ...types]), bundled);
  await write(join(out, folder, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
}

/** What is read at run time, or by people. */
async function copyAsTheyAre({ folder, manifest }: Workspace, out: string): Promise<void> {
  const own = ['README.md', ...(manifest.files ?? [])].map((path): [string, string] => [`${folder}/${path}`, path]);
  const documents = new Set(['LICENSE', ...(DOCUMENTS[manifest.name] ?? []), ...(await listGuides(folder))]);
  const others = [...documents].map((path): [string, string] => [path, path]);
  const placeOf = (path: string): string | undefined => {
    for (const [from, to] of [...own, ...others]) {
      if (path === from || path.startsWith(`${from}/`)) return to + path.slice(from.length);
    }
    return undefined;
  };
  for (const [from, to] of [...own, ...others]) {
    const target = join(out, folder, to);
    await cp(join(REPOSITORY, from), target, {
      recursive: true,
      filter: (path) => !/\.test\.ts$|\/testing$/.test(path),
    });
    await removeDoors(join(target, 'package.json'));
    const pages = to.endsWith('.md') ? ['.'] : await Array.fromAsync(glob('**/*.md', { cwd: target }));
    for (const page of pages) {
      const text = await readFile(join(target, page), 'utf8');
      await write(join(target, page), relink({ text, from: join(from, page), to: join(to, page), placeOf }));
    }
  }
}

/** The pages that the README of a workspace leads to: who has the package reads them without the repository. */
async function listGuides(folder: string): Promise<string[]> {
  const text = await readFile(join(REPOSITORY, folder, 'README.md'), 'utf8');
  return [...text.matchAll(/\]\(\.\.\/(docs\/[^)#]+\.md)/g)].flatMap(([, page = '']) => page);
}

/** A package.json within a package says what its sources stand on. Nobody can come in there. */
async function removeDoors(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const { exports: _, ...manifest }: Partial<Manifest> = JSON.parse(await readFile(path, 'utf8'));
  await write(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
