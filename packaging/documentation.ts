import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Files, readTree } from './archive.ts';
import type { Build } from './build.ts';

const run = promisify(execFile);

/** For a JVM that lives for seconds: Dokka takes half the processor time so. */
const SHORT_LIVED = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** The documentation of the public API, which dev and prod share, as HTML. */
export async function renderDocumentation(build: Build, tag: string): Promise<Files> {
  const folder = join(build.target, 'documentation');
  const out = join(folder, `html-${tag}`);
  await mkdir(folder, { recursive: true });
  const file = join(folder, `dokka-${tag}.json`);
  await writeFile(file, JSON.stringify(await makeConfiguration(build, tag, out)));
  const tool = await readClasspath(build, 'documentation/dokka');
  const program = join(build.sdk, 'documentation/Documentation.java');
  await run('java', [...SHORT_LIVED, '-cp', tool.join(delimiter), program, file]);
  return readTree(out);
}

async function makeConfiguration(build: Build, tag: string, outputDir: string): Promise<object> {
  const library = await readClasspath(build, 'prod/compile');
  const common = [join(build.target, 'metadata/kotlin-stdlib/commonMain')];
  return {
    moduleName: 'Inspector library for Android',
    moduleVersion: tag,
    outputDir,
    offlineMode: true,
    failOnWarning: true,
    pluginsConfiguration: [
      {
        fqPluginName: 'org.jetbrains.dokka.base.DokkaBase',
        serializationFormat: 'JSON',
        // Without this the year stands there, and a release made next year would differ.
        values: JSON.stringify({ footerMessage: 'Apache-2.0' }),
      },
    ],
    sourceSets: [
      describeSourceSet(build, 'common', 'common', ['commonMain'], common),
      describeSourceSet(build, 'android', 'jvm', ['javaMain', 'androidMain', 'androidProd'], library),
      describeSourceSet(build, 'jvm', 'jvm', ['jvmMain'], library),
    ],
  };
}

function describeSourceSet(
  build: Build,
  name: string,
  platform: string,
  roots: readonly string[],
  classpath: string[],
): object {
  return {
    displayName: name,
    sourceSetID: identifySourceSet(name),
    analysisPlatform: platform,
    sourceRoots: roots.map((root) => join(build.sdk, 'inspector/src', root)),
    dependentSourceSets: name === 'common' ? [] : [identifySourceSet('common')],
    classpath,
    documentedVisibilities: ['PUBLIC'],
  };
}

function identifySourceSet(name: string): object {
  return { scopeId: 'inspector', sourceSetName: name };
}

/** The jars that Maven found for a purpose. */
async function readClasspath(build: Build, name: string): Promise<string[]> {
  return (await readFile(join(build.target, `${name}.classpath`), 'utf8')).trim().split(delimiter);
}
