import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '@branchline/command-line';
import { type Files, encodeText } from './archive.ts';
import { CHECKSUMS, computeChecksums } from './checksums.ts';
import { GROUP, VARIANTS, type Variant } from './coordinates.ts';
import { compareTags } from './tag.ts';

/** Where a release lies in a folder of Maven's layout. */
export function locateRelease(out: string, variant: Variant, tag: string): string {
  return join(out, ...GROUP.split('.'), variant, tag);
}

/** The folder that has a release already; nothing where there is none. */
export function findExistingRelease(out: string, tag: string): string | undefined {
  return VARIANTS.map((variant) => locateRelease(out, variant, tag)).find((folder) => existsSync(folder));
}

/** Puts a release into the folder, all of an artifact or nothing, and lists it among the others. */
export async function publish(out: string, tag: string, release: ReadonlyMap<Variant, Files>): Promise<void> {
  makeFolder(out);
  const unfinished = await mkdtemp(join(out, '.unfinished-'));
  try {
    for (const [variant, files] of release) await writeWithChecksums(join(unfinished, variant), files);
    for (const variant of release.keys()) {
      const folder = locateRelease(out, variant, tag);
      await mkdir(join(folder, '..'), { recursive: true });
      await rename(join(unfinished, variant), folder);
      await writeMetadata(join(folder, '..'), variant);
    }
  } finally {
    await rm(unfinished, { recursive: true });
  }
}

/** Writes files, and beside each its checksums. */
async function writeWithChecksums(folder: string, files: Files): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of files) {
    await writeFile(join(folder, name), bytes);
    const sums = computeChecksums(bytes);
    for (const kind of CHECKSUMS) await writeFile(join(folder, `${name}.${kind}`), sums[kind]);
  }
}

async function writeMetadata(folder: string, variant: Variant): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const tags = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  await writeWithChecksums(
    folder,
    new Map([['maven-metadata.xml', encodeText(printMavenMetadata(variant, tags.toSorted(compareTags)))]]),
  );
}

/** The tags from the oldest to the newest. Without a time, so that the same releases give the same bytes. */
function printMavenMetadata(variant: Variant, tags: readonly string[]): string {
  const newest = tags.at(-1) ?? '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<metadata>
  <groupId>${GROUP}</groupId>
  <artifactId>${variant}</artifactId>
  <versioning>
    <latest>${newest}</latest>
    <release>${tags.findLast((tag) => !tag.includes('-')) ?? newest}</release>
    <versions>
${tags.map((tag) => `      <version>${tag}</version>`).join('\n')}
    </versions>
  </versioning>
</metadata>
`;
}
