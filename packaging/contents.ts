import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { archive, type Files, readTree, encodeText } from './archive.ts';
import type { Build } from './build.ts';
import { type Artifact, GROUP, type Variant } from './coordinates.ts';
import { encodeProjectStructure } from './project-structure.ts';

/** The archives of an artifact, by the ending of their names. */
export interface Contents {
  '.aar': Uint8Array;
  '.jar': Uint8Array;
  '-metadata.jar': Uint8Array;
  '-sources.jar': Uint8Array;
  '-jvm-sources.jar': Uint8Array;
  '-metadata-sources.jar': Uint8Array;
  '-javadoc.jar': Uint8Array;
}

/** Of the dev artifact's classes one implements an interface of API level 33; apps have to be compiled against it, not run on it. */
const COMPILE_SDK: Readonly<Record<Variant, number>> = { dev: 33, prod: 21 };

const MIN_SDK = 21;

export async function collectContents(build: Build, artifact: Artifact, documentation: Files): Promise<Contents> {
  const { variant, tag } = artifact;
  const rules = await readFile(join(build.sdk, 'consumer-rules.pro'));
  const profile = await readFile(join(build.sdk, 'baseline-prof.txt'));
  const source = (...sets: readonly string[]): Promise<Uint8Array> => archiveSources(build, sets);
  const ofVariant = variant === 'dev' ? 'androidDev' : 'androidProd';
  return {
    '.aar': makeAar(artifact, await readTree(join(build.target, variant, 'released')), rules, profile),
    '.jar': makeJar(tag, [
      ...(await readTree(join(build.target, 'jvm/classes'))),
      ['META-INF/proguard/inspector.pro', rules],
    ]),
    '-metadata.jar': makeJar(tag, [
      ...(await readTree(join(build.target, 'metadata/klib'), 'commonMain/')),
      ['META-INF/kotlin-project-structure-metadata.json', encodeProjectStructure()],
    ]),
    '-sources.jar': await source('commonMain', 'javaMain', 'androidMain', ofVariant),
    '-jvm-sources.jar': await source('commonMain', 'javaMain', 'jvmMain'),
    '-metadata-sources.jar': await source('commonMain'),
    '-javadoc.jar': archive(documentation),
  };
}

function makeAar({ variant, tag }: Artifact, classes: Files, rules: Uint8Array, profile: Uint8Array): Uint8Array {
  return archive(
    new Map([
      ['AndroidManifest.xml', encodeText(printAndroidManifest())],
      // Stored: the AAR compresses all classes as one, which takes a third less than each by itself.
      ['classes.jar', makeJar(tag, classes, 0)],
      ['proguard.txt', rules],
      ['baseline-prof.txt', profile],
      ['R.txt', encodeText('')],
      ['META-INF/com/android/build/gradle/aar-metadata.properties', encodeText(printAarMetadata(variant))],
    ]),
  );
}

function printAndroidManifest(): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="${GROUP}">

    <uses-sdk android:minSdkVersion="${MIN_SDK}" />

    <uses-permission android:name="android.permission.INTERNET" />

</manifest>
`;
}

function printAarMetadata(variant: Variant): string {
  return `aarFormatVersion=1.0
aarMetadataVersion=1.0
minCompileSdk=${COMPILE_SDK[variant]}
minCompileSdkExtension=0
minAndroidGradlePluginVersion=1.0.0
coreLibraryDesugaringEnabled=false
`;
}

function makeJar(tag: string, entries: Iterable<readonly [string, Uint8Array]>, level?: 0): Uint8Array {
  const manifest = ['Manifest-Version: 1.0', `Automatic-Module-Name: ${GROUP}`, `Implementation-Version: ${tag}`];
  return archive(
    new Map([...entries, ['META-INF/MANIFEST.MF', encodeText(`${manifest.join('\r\n')}\r\n\r\n`)]]),
    level,
  );
}

/** A folder for each source set: those of Android and Java have files of the same name as the common one. */
async function archiveSources(build: Build, sets: readonly string[]): Promise<Uint8Array> {
  const entries: [string, Uint8Array][] = [];
  for (const set of sets) {
    for (const root of set === 'commonMain' ? ['kotlin', 'generated'] : ['kotlin'])
      entries.push(...(await readTree(join(build.sdk, 'inspector/src', set, root), `${set}/`)));
  }
  return archive(new Map(entries.filter(([path]) => path.endsWith('.kt'))));
}
