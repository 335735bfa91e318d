import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { archive, readTree } from '../../../packaging/archive.ts';
import { classpath } from './built.ts';
import { javac, kotlinc } from './programs.ts';

const SOURCES = fileURLToPath(new URL('../../../examples/android/app/src/main', import.meta.url));

/** What Gradle makes of the settings of the build; here they are those of the process, so that one build serves many runs. */
const BUILD_CONFIG = `package com.example.shop;

public final class BuildConfig {
    public static final boolean DEBUG = Boolean.getBoolean("debug");
    public static final String INSPECTOR_API_KEY = System.getProperty("apiKey");
    public static final String INSPECTOR_ENDPOINT = System.getProperty("endpoint");
}
`;

/** What Android's build tools make of the manifest: it names these classes. */
const MANIFEST_RULES = `-keep class com.example.shop.MainActivity { <init>(); }
-keep class com.example.shop.ShopApplication { <init>(); }
`;

/** Compiles the Kotlin and the Java of `examples/android` against the classes of an artifact, into a jar. */
export async function compileSampleApp(library: string, folder: string): Promise<string> {
  const generated = join(folder, 'generated/com/example/shop');
  const classes = join(folder, 'classes');
  await mkdir(generated, { recursive: true });
  await writeFile(join(generated, 'BuildConfig.java'), BUILD_CONFIG);
  const jars = [library, ...classpath('prod/compile')];
  await kotlinc([join(SOURCES, 'kotlin'), join(SOURCES, 'java'), join(folder, 'generated')], jars, classes);
  const java = await filesOf(join(SOURCES, 'java'));
  await javac([...java, join(generated, 'BuildConfig.java')], [classes, ...jars], classes);
  const jar = join(folder, 'app.jar');
  await writeFile(jar, archive(await readTree(classes)));
  return jar;
}

/** The manifest as Android's Gradle plugin merges it: with the id and versions of the build, and what the library asks for. */
export async function mergeManifest(libraryManifest: string): Promise<string> {
  const app = await readFile(join(SOURCES, 'AndroidManifest.xml'), 'utf8');
  const permissions = [...(await readFile(libraryManifest, 'utf8')).matchAll(/<uses-permission .*?\/>/g)].join('\n');
  return app
    .replace('<manifest ', '<manifest package="com.example.shop" android:versionCode="1" android:versionName="1.0.0" ')
    .replace(
      '<application',
      `<uses-sdk android:minSdkVersion="21" android:targetSdkVersion="34" />\n${permissions}\n<application`,
    );
}

export async function writeManifestRules(folder: string): Promise<string> {
  const file = join(folder, 'manifest.pro');
  await writeFile(file, MANIFEST_RULES);
  return file;
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
