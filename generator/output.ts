import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, sep } from 'node:path';
import { makeFolder } from '@branchline/command-line';
import { refuseLinks } from './links.ts';
import { GENERATED, type GeneratedFile, type Standing } from './target.ts';
import { sha256 } from './sha256.ts';
import { ToolError } from './tool-error.ts';

/** What has to be done to one file. Paths are relative to the output folder. */
export type Change =
  | { kind: 'write'; path: string; before: string | undefined; text: string }
  | { kind: 'create'; path: string; before: undefined; text: string; notice?: string | undefined }
  | { kind: 'remove'; path: string; before: string };

/** A file that a target wants, without its text. */
type Wanted = Pick<GeneratedFile, 'path' | 'kind'>;

/** The same with the SHA-256 of its text. */
export interface HashedFile extends Wanted {
  sha256: string;
}

/** What stands in an output folder. */
export function readStandingIn(out: string): Standing {
  return (path) => readText(join(out, path));
}

/**
 * Compares what the targets want with what there is.
 *
 * A folder named `generated` that the generator has written to belongs to it: what no target wants there any more is to be
 * removed. Any other is left as it is. The scaffold is wanted only where none of its files stands in its folder: it is a beginning, and whoever has moved on from it
 * may have put things elsewhere. Of the files of the whole project, those that stand are left as they are.
 *
 * @throws ToolError where a target wants a folder `generated` that holds files of someone else, or a symbolic link leads to a file that
 *   is to be changed.
 */
export async function compareOutput(out: string, files: readonly GeneratedFile[]): Promise<Change[]> {
  const changes: Change[] = [];
  for (const { path, text, kind } of files) {
    if (kind === 'scaffold') continue;
    const before = await readText(join(out, path));
    if (before !== text) changes.push({ kind: 'write', path, before, text });
  }
  for (const path of await findLeftOver(out, files)) {
    changes.push({ kind: 'remove', path, before: (await readText(join(out, path))) ?? '' });
  }
  for (const { path, text, notice } of await selectScaffold(out, files))
    changes.push({ kind: 'create', path, before: undefined, text, notice });
  for (const { path } of changes) await refuseLinks(out, path);
  return changes;
}

/** Whether what stands in an output folder is what the targets want there, of whose files the SHA-256 is known. */
export async function isUpToDate(out: string, files: readonly HashedFile[]): Promise<boolean> {
  const generated = files.filter(({ kind }) => kind === 'generated');
  const unchanged = await Promise.all(
    generated.map(async ({ path, sha256 }) => (await hashOf(join(out, path))) === sha256),
  );
  if (unchanged.includes(false)) return false;
  return (await listLeftOver(out, files)).length === 0 && (await selectScaffold(out, files)).length === 0;
}

async function hashOf(file: string): Promise<string | undefined> {
  try {
    return sha256(await readFile(file));
  } catch {
    return undefined;
  }
}

export async function apply(out: string, changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    const file = join(out, change.path);
    if (change.kind === 'remove') {
      await rm(file);
    } else {
      makeFolder(dirname(file));
      await writeWhole(file, change.text);
    }
  }
}

/** Leaves no beginning of a file behind: it would be taken for the file. The system doesn't name the one that it has no room for. */
async function writeWhole(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    if (isOutOfRoom(error)) await rm(file, { force: true });
    throw error instanceof Error ? Object.assign(error, { path: file }) : error;
  }
}

/** Those of the scaffold that are to be created. */
async function selectScaffold<File extends Wanted>(out: string, files: readonly File[]): Promise<File[]> {
  const scaffold = files.filter(({ kind }) => kind === 'scaffold');
  const texts = await Promise.all(scaffold.map(({ path }) => readText(join(out, path))));
  const standing = new Set(scaffold.filter((_file, index) => texts[index] !== undefined).map(({ path }) => path));
  const begun = [...standing].some((path) => !isShared(path));
  return begun ? [] : scaffold.filter(({ path }) => !standing.has(path));
}

/** A project may have its own `package.json` long before it generates anything. */
function isShared(path: string): boolean {
  return !path.includes('/');
}

async function findLeftOver(out: string, files: readonly Wanted[]): Promise<string[]> {
  const leftOver = await listLeftOver(out, files);
  for (const { folder, standing } of leftOver) await refuseFolderOfOthers(out, folder, standing);
  return leftOver.flatMap(({ superfluous }) => superfluous).toSorted();
}

/** The `generated` folders in which something stands that no target wants there. */
async function listLeftOver(
  out: string,
  files: readonly Wanted[],
): Promise<{ folder: string; standing: string[]; superfluous: string[] }[]> {
  const generated = new Set(files.filter(({ kind }) => kind === 'generated').map(({ path }) => path));
  const folders = [...new Set([...generated].map(generatedFolder))];
  const found = await Promise.all(
    folders.map(async (folder) => {
      const standing = await listFiles(out, folder);
      return { folder, standing, superfluous: standing.filter((path) => !generated.has(path)) };
    }),
  );
  return found.filter(({ superfluous }) => superfluous.length > 0);
}

/** A `generated` folder in which no file says that it was generated here is another tool's. */
async function refuseFolderOfOthers(out: string, folder: string, standing: readonly string[]): Promise<void> {
  for (const path of standing) if ((await readText(join(out, path)))?.includes(GENERATED)) return;
  throw new ToolError(
    `${folder} holds files that branchline did not generate, ${standing[0]} for one; move them, or generate elsewhere with --out.`,
  );
}

function generatedFolder(path: string): string {
  const parts = posix.dirname(path).split('/');
  return parts.slice(0, parts.lastIndexOf('generated') + 1).join('/');
}

async function listFiles(out: string, folder: string): Promise<string[]> {
  try {
    const entries = await readdir(join(out, folder), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => posix.relative(toPosix(out), posix.join(toPosix(entry.parentPath), entry.name)));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function toPosix(path: string): string {
  return path.split(sep).join('/');
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
