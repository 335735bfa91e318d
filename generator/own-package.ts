import { readFile } from 'node:fs/promises';

/** What generated code needs to know of the package of the generator. */
interface OwnPackage {
  version: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

export async function ownPackage(): Promise<OwnPackage> {
  const manifest: OwnPackage = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  return manifest;
}
