import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Files, text } from './archive.ts';
import type { Build } from './build.ts';
import { contentsOf } from './contents.ts';
import { type Artifact, fileName, VARIANTS, type Variant } from './coordinates.ts';
import { documentation } from './documentation.ts';
import { moduleMetadata } from './module-metadata.ts';
import { pom } from './pom.ts';

/** All files of a release, by artifact and name. They depend on the sources and the tag alone. */
export async function assemble(build: Build, tag: string): Promise<ReadonlyMap<Variant, Files>> {
  const documents = await documentation(build, tag);
  const kotlin = await kotlinVersion(build.sdk);
  const release = new Map<Variant, Files>();
  for (const variant of VARIANTS) release.set(variant, await filesOf(build, { variant, tag, kotlin }, documents));
  return release;
}

async function filesOf(build: Build, artifact: Artifact, documents: Files): Promise<Files> {
  const contents = await contentsOf(build, artifact, documents);
  const files = new Map<string, Uint8Array>(
    Object.entries(contents).map(([ending, bytes]) => [fileName(artifact, ending), bytes]),
  );
  files.set(fileName(artifact, '.pom'), text(pom(artifact)));
  files.set(fileName(artifact, '.module'), text(moduleMetadata(artifact, contents)));
  return files;
}

/** That of the standard library which apps get, as the build has it. */
async function kotlinVersion(sdk: string): Promise<string> {
  const project = await readFile(join(sdk, 'pom.xml'), 'utf8');
  const [, version] = /<kotlin\.stdlib\.version>(.+)<\/kotlin\.stdlib\.version>/.exec(project) ?? [];
  if (version === undefined) throw new Error('android-sdk/pom.xml has no kotlin.stdlib.version.');
  return version;
}
