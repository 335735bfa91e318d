import { createHash } from 'node:crypto';
import { isObject } from '@branchline/contract';
import type { GeneratedFile, Standing } from '../target.ts';

/** What generated files were made from and what they are, so that they need not be made again to know it. */
interface Manifest {
  'x-branchline-generated': string;
  /** A hash over all that they were made from. */
  inputs: string;
  /** SHA-256 by path, relative to the folder of the manifest. */
  files: Record<string, string>;
}

const NAME = 'manifest.json';

/** Says what the files of a folder were made from. */
export function manifestFile(
  folder: string,
  header: string,
  inputs: string,
  files: readonly GeneratedFile[],
): GeneratedFile {
  const manifest: Manifest = {
    'x-branchline-generated': header,
    inputs,
    files: Object.fromEntries(files.map(({ path, text }) => [path.slice(folder.length + 1), sha256(text)])),
  };
  return { path: `${folder}/${NAME}`, text: `${JSON.stringify(manifest, undefined, 2)}\n`, kind: 'generated' };
}

/** The files that stand in a folder, if they were made from the same and nobody has changed them. */
export async function unchanged(
  folder: string,
  inputs: string,
  standing: Standing,
): Promise<GeneratedFile[] | undefined> {
  const text = await standing(`${folder}/${NAME}`);
  const manifest = text === undefined ? undefined : readManifest(text);
  if (text === undefined || manifest === undefined || manifest.inputs !== inputs) return undefined;
  const files: GeneratedFile[] = [{ path: `${folder}/${NAME}`, text, kind: 'generated' }];
  for (const [name, hash] of Object.entries(manifest.files)) {
    const path = `${folder}/${name}`;
    const found = await standing(path);
    if (found === undefined || sha256(found) !== hash) return undefined;
    files.push({ path, text: found, kind: 'generated' });
  }
  return files;
}

function readManifest(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isManifest(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isManifest(value: unknown): value is Manifest {
  return isObject(value) && typeof value['inputs'] === 'string' && isObject(value['files']);
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
