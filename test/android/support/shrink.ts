import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { android, annotations, classpath, jarOf, kotlinLibrary } from './built.ts';
import { run, runTool, SHORT_LIVED } from './programs.ts';

/** What is shrunk into one jar, and by which rules. */
export interface Shrinking {
  /** The app and the library; Kotlin's standard library is added. */
  jars: readonly string[];
  rules: readonly string[];
  out: string;
}

/** ProGuard with all that makes it bolder than its defaults. */
export async function proguard({ jars, rules, out }: Shrinking): Promise<void> {
  const home = await javaHome();
  const configuration = [
    ...jars.map((jar) => `-injars ${jar}(!META-INF/MANIFEST.MF)`),
    ...[kotlinLibrary(), annotations()].map((jar) => `-injars ${jar}(!META-INF/**)`),
    `-outjars ${out}`,
    `-libraryjars ${android()}`,
    ...['java.base', 'java.logging'].map(
      (module) => `-libraryjars ${home}/jmods/${module}.jmod(!**.jar;!module-info.class)`,
    ),
    ...rules.map((file) => `-include ${file}`),
    '-dontnote',
    '-optimizationpasses 5',
    '-allowaccessmodification',
    '-mergeinterfacesaggressively',
    '-overloadaggressively',
    '-repackageclasses shrunk',
  ];
  const file = `${out}.pro`;
  await writeFile(file, configuration.join('\n'));
  await runTool('proguard.ProGuard', [`@${file}`]);
}

/** R8, whose full mode is its default, into classes that a JVM can run. */
export async function r8({ jars, rules, out }: Shrinking): Promise<void> {
  const inputs = [...jars, kotlinLibrary(), annotations()];
  const moving = `${out}.pro`;
  // Robolectric takes what is in a package of Kotlin from outside of the app.
  await writeFile(moving, '-repackageclasses shrunk');
  const configurations = [...rules, moving].flatMap((file) => ['--pg-conf', file]);
  await runR8('R8', [
    '--release',
    '--classfile',
    ...(await libraries()),
    ...configurations,
    '--output',
    out,
    ...inputs,
  ]);
}

/** D8: from classes to what Android 5.0 runs. */
export async function dex(jars: readonly string[], seen: readonly string[], folder: string): Promise<string> {
  await mkdir(folder);
  const others = seen.flatMap((jar) => ['--classpath', jar]);
  await runR8('D8', ['--release', '--min-api', '21', ...(await libraries()), ...others, '--output', folder, ...jars]);
  return join(folder, 'classes.dex');
}

async function runR8(program: 'R8' | 'D8', args: readonly string[]): Promise<void> {
  const jar = jarOf('r8', classpath('consumers/tools'));
  await run('java', [...SHORT_LIVED, '-cp', jar, `com.android.tools.r8.${program}`, ...args]);
}

/** Android's own classes; those of Java come from the JDK, since the jar of Android has none. */
async function libraries(): Promise<string[]> {
  return ['--lib', android(), '--lib', await javaHome()];
}

async function javaHome(): Promise<string> {
  const shown = await run('java', ['-XshowSettings:properties', '-version']);
  const [, home] = /java\.home = (.+)/.exec(shown) ?? [];
  if (home === undefined) throw new Error('Java does not say where it is.');
  return home;
}
