import { type Contract, isObject } from '@branchline/contract';
import { ownPackage } from './own-package.ts';
import { sha256 } from './sha256.ts';
import { generatedHeader, type GeneratedFile, type RuntimeChoice, type Standing } from './target.ts';

/** What the files of a `generated` folder were made from. The only generated file that every change of the contract changes. */
interface Manifest {
  'x-branchline-generated': string;
  /** The contract's file name, and the SHA-256 of its bytes. */
  source: string;
  sha256: string;
  /** The version of the generator. */
  generator: string;
  /** Of a server. */
  runtime?: RuntimeChoice;
  /** Of files that are slow to make: a hash over all that they were made from. */
  inputs?: string;
  /** SHA-256 by path, relative to the folder of the manifest. */
  files: Record<string, string>;
}

const MANIFEST = 'manifest.json';

/** The manifest of a folder, for the files that are made there. */
export async function makeManifest(
  folder: string,
  contract: Contract,
  files: readonly GeneratedFile[],
  more: Pick<Manifest, 'runtime' | 'inputs'> = {},
): Promise<GeneratedFile> {
  const { version } = await ownPackage();
  const manifest: Manifest = {
    'x-branchline-generated': generatedHeader(contract),
    source: contract.source,
    sha256: contract.sha256,
    generator: version,
    ...more,
    files: Object.fromEntries(files.map(({ path, text }) => [path.slice(folder.length + 1), sha256(text)])),
  };
  return { path: `${folder}/${MANIFEST}`, text: `${JSON.stringify(manifest, undefined, 2)}\n`, kind: 'generated' };
}

/** The files that stand in a folder, if they were made from the same and nobody has changed them. */
export async function readUnchangedFiles(
  folder: string,
  inputs: string,
  standing: Standing,
): Promise<GeneratedFile[] | undefined> {
  const manifest = await readManifest(folder, standing);
  if (manifest?.['inputs'] !== inputs || !isObject(manifest['files'])) return undefined;
  const files: GeneratedFile[] = [];
  for (const [name, hash] of Object.entries(manifest['files'])) {
    const path = `${folder}/${name}`;
    const text = await standing(path);
    if (text === undefined || sha256(text) !== hash) return undefined;
    files.push({ path, text, kind: 'generated' });
  }
  return files;
}

/** The manifest that stands in a folder, as far as it can be read; `undefined` where there is none. */
export async function readManifest(folder: string, standing: Standing): Promise<Record<string, unknown> | undefined> {
  const text = await standing(`${folder}/${MANIFEST}`);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
