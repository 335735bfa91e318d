import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Variant } from '../../../packaging/coordinates.ts';
import { released } from './built.ts';

/** What the AAR of an artifact holds, as Android's Gradle plugin takes it apart. */
export interface Aar {
  classes: string;
  rules: string;
  manifest: string;
}

export async function takeApart(variant: Variant, folder: string): Promise<Aar> {
  await unzip(released(variant, '.aar'), folder);
  const of = (name: string): string => join(folder, name);
  return { classes: of('classes.jar'), rules: of('proguard.txt'), manifest: of('AndroidManifest.xml') };
}

export async function unzip(archive: string, folder: string): Promise<void> {
  for (const [name, bytes] of Object.entries(unzipSync(await readFile(archive)))) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
}
