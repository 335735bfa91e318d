import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import type { Build } from '../../packaging/build.ts';
import { collectContents } from '../../packaging/contents.ts';
import type { Table } from '../measure.ts';
import { whole } from '../numbers.ts';
import { run } from '../programs.ts';
import { fromRoot } from '../subjects/subject.ts';
import type { BenchBuild } from './build.ts';
import { download } from './download.ts';
import { methodsInDex } from './dex.ts';

/** What the sample app is built with: the folder that holds its `Analytics.java`, and the archive of the library. */
interface Subject {
  name: string;
  version: string;
  folder: string;
  /** Maven coordinates, or the path of an AAR. */
  aar: string;
}

/** What R8 leaves of an app, or of a library in it. */
export interface Minified {
  dexBytes: number;
  /** Defined in the DEX. */
  methods: number;
  deflatedBytes: number;
}

const SAMPLE = fromRoot('bench/android/sample-app');

const OTHERS: readonly Subject[] = [
  { name: 'Mixpanel', version: '7.3.1', folder: 'mixpanel', aar: 'com.mixpanel.android:mixpanel-android:7.3.1:aar' },
  {
    name: 'Segment (Java)',
    version: '4.11.3',
    folder: 'segment',
    aar: 'com.segment.analytics.android:analytics:4.11.3:aar',
  },
];

/** What an app pays for a library once R8 has minified it in full mode for API level 21: the difference to the same app without one. */
export async function measureMinified(build: BenchBuild): Promise<Table> {
  const folder = await mkdtemp(join(build.target, 'minified-'));
  const subjects = [await inspector(build, folder), ...OTHERS];
  const rows = (await costsOf(build, folder, subjects)).map(({ dexBytes, methods, deflatedBytes }, index) => [
    subjects[index]?.name ?? '',
    subjects[index]?.version ?? '',
    whole(dexBytes),
    whole(methods),
    whole(deflatedBytes),
  ]);
  return { columns: ['Library in a minified app', 'Version', 'DEX, bytes', 'Methods', 'Deflated, bytes'], rows };
}

/** The same of the Inspector library alone. */
export async function measureInspector(build: Build): Promise<Minified> {
  const folder = await mkdtemp(join(build.target, 'minified-'));
  const [cost] = await costsOf(build, folder, [await inspector(build, folder)]);
  await rm(folder, { recursive: true });
  if (cost === undefined) throw new Error('R8 has minified nothing.');
  return cost;
}

async function costsOf(build: Build, folder: string, subjects: readonly Subject[]): Promise<Minified[]> {
  const tools = new Tools(await classpath(build, 'consumers/tools'), await classpath(build, 'prod/compile'));
  const without = await minify(tools, join(folder, 'none'), 'none');
  const costs: Minified[] = [];
  for (const subject of subjects) {
    const place = join(folder, subject.folder);
    const { classes, rules } = await takeApart(subject.aar, build.target, `${place}-aar`);
    const { dexBytes, methods, deflatedBytes } = await minify(tools, place, subject.folder, classes, rules);
    costs.push({
      dexBytes: dexBytes - without.dexBytes,
      methods: methods - without.methods,
      deflatedBytes: deflatedBytes - without.deflatedBytes,
    });
  }
  return costs;
}

async function inspector(build: Build, folder: string): Promise<Subject> {
  const contents = await collectContents(build, { variant: 'prod', tag: '0.0.0', kotlin: '' }, new Map());
  const aar = join(folder, 'prod.aar');
  await writeFile(aar, contents['.aar']);
  return { name: 'Inspector, prod', version: '', folder: 'inspector', aar };
}

async function takeApart(aar: string, target: string, folder: string): Promise<{ classes: string; rules: string }> {
  const entries = unzipSync(await readFile(aar.includes(':') ? await download(aar, target) : aar));
  const place = { classes: join(folder, 'classes.jar'), rules: join(folder, 'proguard.txt') };
  await mkdir(folder);
  await writeFile(place.classes, entries['classes.jar'] ?? new Uint8Array());
  await writeFile(place.rules, entries['proguard.txt'] ?? new Uint8Array());
  return place;
}

async function minify(
  tools: Tools,
  folder: string,
  analytics: string,
  library?: string,
  rules?: string,
): Promise<Minified> {
  const app = join(folder, 'app');
  const dex = join(folder, 'dex');
  await mkdir(dex, { recursive: true });
  await tools.compile([SAMPLE, join(SAMPLE, analytics)], library, app);
  await tools.r8(app, library, [join(SAMPLE, 'rules.pro'), ...(rules === undefined ? [] : [rules])], dex);
  return sizesOf(dex);
}

async function sizesOf(folder: string): Promise<Minified> {
  const sum: Minified = { dexBytes: 0, methods: 0, deflatedBytes: 0 };
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.dex'))) {
    const bytes = await readFile(join(folder, name));
    sum.dexBytes += bytes.length;
    sum.methods += methodsInDex(bytes);
    sum.deflatedBytes += deflateRawSync(bytes, { level: 9 }).length;
  }
  return sum;
}

async function classpath({ target }: Build, name: string): Promise<string[]> {
  return (await readFile(join(target, `${name}.classpath`), 'utf8')).trim().split(delimiter);
}

/** The compilers of an app's build. */
class Tools {
  readonly #tools: readonly string[];
  readonly #libraries: readonly string[];

  constructor(tools: readonly string[], libraries: readonly string[]) {
    this.#tools = tools;
    this.#libraries = libraries;
  }

  async compile(folders: readonly string[], library: string | undefined, out: string): Promise<void> {
    const sources = (await Promise.all(folders.map(sourcesIn))).flat();
    const jars = [...this.#libraries, ...(library === undefined ? [] : [library])].join(delimiter);
    const kotlin = ['-no-stdlib', '-no-reflect', '-jvm-target', '1.8', '-cp', jars, '-d', out, ...sources];
    await this.#java(this.#tools, 'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler', kotlin);
    const java = sources.filter((file) => file.endsWith('.java'));
    await run('javac', ['--release', '8', '-nowarn', '-cp', [jars, out].join(delimiter), '-d', out, ...java]);
    await run('jar', ['cf', `${out}.jar`, '-C', out, '.']);
  }

  async r8(app: string, library: string | undefined, rules: readonly string[], out: string): Promise<void> {
    const inputs = [`${app}.jar`, ...(library === undefined ? [] : [library])];
    const stdlib = this.#libraries.filter((jar) => !jar.includes('/android-all/'));
    const android = this.#libraries.filter((jar) => jar.includes('/android-all/'));
    const r8 = this.#tools.filter((jar) => jar.includes('/r8/'));
    await this.#java(r8, 'com.android.tools.r8.R8', [
      '--release',
      '--min-api',
      '21',
      ...[...android, await javaHome()].flatMap((jar) => ['--lib', jar]),
      ...rules.flatMap((file) => ['--pg-conf', file]),
      // As Android's build does: the lines of stack traces are then told by the mapping, and not by the DEX.
      '--pg-map-output',
      join(out, 'mapping.txt'),
      '--output',
      out,
      ...inputs,
      ...stdlib,
    ]);
  }

  async #java(jars: readonly string[], main: string, parameters: readonly string[]): Promise<void> {
    await run('java', [
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      '-cp',
      jars.join(delimiter),
      main,
      ...parameters,
    ]);
  }
}

async function sourcesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /\.(kt|java)$/.test(name)).map((name) => join(folder, name));
}

/** The classes of Java come from the JDK, since the jar of Android has none. */
async function javaHome(): Promise<string> {
  const program = await realpath((await run('which', ['java'])).trim());
  return dirname(dirname(program));
}
