import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fromRoot } from '../subjects/subject.ts';
import type { Package } from './packages.ts';

const run = promisify(execFile);

/** Where packages are kept from one run to the next. */
const CACHE = fromRoot('node_modules/.cache/corpus');

/** One OpenAPI document of a package. */
export interface CorpusDocument {
  package: string;
  /** Within the package. */
  name: string;
  /** Where it lies. */
  file: string;
}

/** The documents of a package, which is downloaded where it is not there yet. */
export async function listDocuments({ name, version, files }: Package): Promise<CorpusDocument[]> {
  const folder = await download(name, version);
  const found = globSync(files, { cwd: folder, exclude: ['**/node_modules/**'] }).toSorted();
  const documents: CorpusDocument[] = [];
  for (const one of found) {
    const file = join(folder, one);
    if (isDocument(await readFile(file, 'utf8'))) documents.push({ package: name, name: one, file });
  }
  return documents;
}

/** Documents that others refer to parts of are none themselves. */
function isDocument(text: string): boolean {
  return (
    /^\s*\{?\s*["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]\b/m.test(text) ||
    /[{,]\s*"(?:openapi|swagger)"\s*:\s*"[23]\./.test(text)
  );
}

async function download(name: string, version: string): Promise<string> {
  const folder = join(CACHE, `${name.replace('/', '__')}-${version}`);
  if (globSync('*', { cwd: folder }).length > 0) return folder;
  const unpacked = `${folder}.part`;
  await rm(unpacked, { recursive: true, force: true });
  await mkdir(unpacked, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', unpacked, `${name}@${version}`]);
  const archive = join(unpacked, stdout.trim().split('\n').at(-1) ?? '');
  await run('tar', ['xzf', archive, '-C', unpacked, '--strip-components=1']);
  await rm(archive);
  await rename(unpacked, folder);
  return folder;
}
