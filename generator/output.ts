import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, sep } from 'node:path';
import { GENERATED, type GeneratedFile, type Standing } from './target.ts';
import { ToolError } from './tool-error.ts';

/** What has to be done to one file. Paths are relative to the output folder. */
export type Change =
  | { kind: 'write' | 'create'; path: string; before: string | undefined; text: string }
  | { kind: 'remove'; path: string; before: string };

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
 * @throws ToolError where a target wants a folder `generated` that holds files of someone else.
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
  changes.push(...(await planScaffold(out, files)));
  return changes;
}

export async function apply(out: string, changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    const file = join(out, change.path);
    if (change.kind === 'remove') {
      await rm(file);
    } else {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, change.text);
    }
  }
}

async function planScaffold(out: string, files: readonly GeneratedFile[]): Promise<Change[]> {
  const scaffold = files.filter(({ kind }) => kind === 'scaffold');
  const texts = await Promise.all(scaffold.map(({ path }) => readText(join(out, path))));
  const standing = new Set(scaffold.filter((_file, index) => texts[index] !== undefined).map(({ path }) => path));
  const begun = [...standing].some((path) => !isShared(path));
  const wanted = begun ? [] : scaffold.filter(({ path }) => !standing.has(path));
  return wanted.map(({ path, text }) => ({ kind: 'create', path, before: undefined, text }));
}

/** A project may have its own `package.json` long before it generates anything. */
function isShared(path: string): boolean {
  return !path.includes('/');
}

async function findLeftOver(out: string, files: readonly GeneratedFile[]): Promise<string[]> {
  const generated = files.filter(({ kind }) => kind === 'generated').map(({ path }) => path);
  const folders = [...new Set(generated.map(generatedFolder))];
  const found = await Promise.all(
    folders.map(async (folder) => {
      const standing = await listFiles(out, folder);
      const leftOver = standing.filter((path) => !generated.includes(path));
      if (leftOver.length > 0) await refuseFolderOfOthers(out, folder, standing);
      return leftOver;
    }),
  );
  return found.flat().toSorted();
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
