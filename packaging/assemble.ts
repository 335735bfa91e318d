import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Files, encodeText } from './archive.ts';
import type { Build } from './build.ts';
import { collectContents } from './contents.ts';
import { type Artifact, nameFile, VARIANTS, type Variant } from './coordinates.ts';
import { printModuleMetadata } from './module-metadata.ts';
import { printPom } from './pom.ts';

/**
 * All files of a release, by artifact and name. They depend on the sources and the tag alone.
 *
 * @param documents the documentation of the public API
 */
export async function assemble(build: Build, tag: string, documents: Files): Promise<ReadonlyMap<Variant, Files>> {
  const kotlin = await readKotlinVersion(build.sdk);
  const release = new Map<Variant, Files>();
  for (const variant of VARIANTS)
    release.set(variant, await assembleArtifact(build, { variant, tag, kotlin }, documents));
  return release;
}

async function assembleArtifact(build: Build, artifact: Artifact, documents: Files): Promise<Files> {
  const contents = await collectContents(build, artifact, documents);
  const files = new Map<string, Uint8Array>(
    Object.entries(contents).map(([ending, bytes]) => [nameFile(artifact, ending), bytes]),
  );
  files.set(nameFile(artifact, '.pom'), encodeText(printPom(artifact)));
  files.set(nameFile(artifact, '.module'), encodeText(printModuleMetadata(artifact, contents)));
  return files;
}

/** That of the standard library which apps get, as the build has it. */
async function readKotlinVersion(sdk: string): Promise<string> {
  const project = await readFile(join(sdk, 'pom.xml'), 'utf8');
  const [, version] = /<kotlin\.stdlib\.version>(.+)<\/kotlin\.stdlib\.version>/.exec(project) ?? [];
  if (version === undefined) throw new Error('android-sdk/pom.xml has no kotlin.stdlib.version.');
  return version;
}
