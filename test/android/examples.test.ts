// @module-tag sqlite-alone
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAPABILITY } from '../../packaging/module-metadata.ts';
import { locateRelease } from '../../packaging/maven-layout.ts';
import { startTestServer } from '../support/server.ts';
import { RELEASE, TAG } from './release.ts';
import { takeApart, unzip } from './support/aar.ts';
import { BUILD, classpath, kotlinLibrary, notPackaged, released } from './support/built.ts';
import { describeUnless } from '../support/describe-unless.ts';
import { started } from './support/device.ts';
import { observed } from './support/observed.ts';
import { kotlinc, kotlinMetadata } from './support/programs.ts';
import { proguard } from './support/shrink.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
/** Compilers and shrinkers take their time on a busy machine. */
const PATIENCE_MS = 180_000;
const SHARED = join(EXAMPLES, 'kmp/shared/src');

describe.each(['android', 'kmp'])('examples/%s', (example) => {
  it('has the coordinates of the release', async () => {
    const catalog = await readFile(join(EXAMPLES, example, 'gradle/libs.versions.toml'), 'utf8');
    const [, version = ''] = /^inspector = "(.+)"$/m.exec(catalog) ?? [];
    expect(version).toBe(TAG);
    const modules = [...catalog.matchAll(/module = "app\.service\.inspector:(.+?)", version\.ref = "inspector"/g)];
    expect(modules.map(([, module]) => module)).toEqual(['dev', 'prod']);
    if (notPackaged === undefined)
      for (const variant of ['dev', 'prod'] as const)
        expect(existsSync(locateRelease(RELEASE, variant, version))).toBe(true);
  });

  it('names in its builds what its catalog has', async () => {
    const catalog = await readFile(join(EXAMPLES, example, 'gradle/libs.versions.toml'), 'utf8');
    const known = [...catalog.matchAll(/^([a-z-]+) = \{/gm)].map(([, name = '']) => name.replaceAll('-', '.'));
    const named = new Set<string>();
    for (const build of await buildsOf(example))
      for (const [, name = ''] of build.matchAll(/\blibs\.(?!versions)(?:plugins\.)?([a-z.]+[a-z])(?=\))/g))
        named.add(name);
    expect([...named].toSorted()).toEqual(known.toSorted());
  });
});

it('has a rule in examples/kmp that names the capability of the release', async () => {
  const rules = (await buildsOf('kmp')).flatMap((build) => [...build.matchAll(/withCapability\("(.+?)"\)/g)]);
  expect(rules.map(([, capability]) => capability)).toEqual([`app.service.inspector:${CAPABILITY}`]);
});

describeUnless(notPackaged, 'the code of examples/kmp', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'branchline-kmp-'));
    await compileForJvm();
  }, PATIENCE_MS);

  afterAll(() => rm(folder, { recursive: true }));

  const fragments = async (platform: string): Promise<string[]> => {
    const common = await sources('commonMain');
    const own = await sources(platform);
    const all = [...common.map((file) => `commonMain:${file}`), ...own.map((file) => `${platform}:${file}`)];
    return [
      '-Xmulti-platform',
      `-Xfragments=commonMain,${platform}`,
      `-Xfragment-refines=${platform}:commonMain`,
      `-Xfragment-sources=${all.join(',')}`,
    ];
  };

  const compileForJvm = async (): Promise<void> => {
    const files = [...(await sources('commonMain')), ...(await sources('jvmMain'))];
    const jars = [released('prod', '.jar'), kotlinLibrary()];
    await kotlinc(files, jars, join(folder, 'app.jar'), await fragments('jvmMain'));
  };

  it('compiles in common, against the metadata', { timeout: PATIENCE_MS }, async () => {
    await unzip(released('prod', '-metadata.jar'), join(folder, 'metadata'));
    const libraries = [join(folder, 'metadata/commonMain'), join(BUILD.target, 'metadata/kotlin-stdlib/commonMain')];
    await kotlinMetadata(await sources('commonMain'), libraries, join(folder, 'klib'));
    expect(existsSync(join(folder, 'klib/default/manifest'))).toBe(true);
  });

  it('compiles for Android', { timeout: PATIENCE_MS }, async () => {
    const aar = await takeApart('prod', join(folder, 'prod'));
    const jars = [aar.classes, ...classpath('prod/compile')];
    const shared = join(folder, 'shared');
    const files = [...(await sources('commonMain')), ...(await sources('androidMain'))];
    await kotlinc(files, jars, shared, await fragments('androidMain'));
    const app = join(EXAMPLES, 'kmp/androidApp/src/main/kotlin');
    await kotlinc([app], [shared, ...jars], join(folder, 'app'));
  });

  it('tracks from a plain JVM', { timeout: PATIENCE_MS }, async () => {
    await expectTracked([join(folder, 'app.jar'), released('prod', '.jar'), kotlinLibrary()]);
  });

  it(
    'tracks from a plain JVM when ProGuard has shrunk it, with the rules in the jar of the library',
    { timeout: PATIENCE_MS },
    async () => {
      const library = join(folder, 'library');
      await unzip(released('prod', '.jar'), library);
      const out = join(folder, 'proguard.jar');
      const start = join(folder, 'start.pro');
      await writeFile(start, '-keep class com.example.shop.MainKt { public static void main(java.lang.String[]); }');
      const rules = [join(library, 'META-INF/proguard/inspector.pro'), start];
      await proguard({ jars: [join(folder, 'app.jar'), released('prod', '.jar')], rules, out });
      await expectTracked([out]);
    },
  );

  const expectTracked = async (jars: readonly string[]): Promise<void> => {
    const server = await startTestServer();
    const unsent = await mkdtemp(join(folder, 'unsent-'));
    const main = 'com.example.shop.MainKt';
    const running = await started(
      spawn('java', ['-cp', jars.join(':'), main, server.origin, server.apiKey, unsent]),
      '}',
    );
    try {
      expect(await observed(server, 1)).toEqual([
        {
          eventName: 'Product Viewed',
          environment: 'dev',
          count: 1,
          schema: [
            { name: 'price', type: 'float' },
            { name: 'productId', type: 'string' },
          ],
        },
      ]);
    } finally {
      await running.leave();
      await server.close();
    }
  };
});

async function sources(set: string): Promise<string[]> {
  const files = await readdir(join(SHARED, set, 'kotlin'), { recursive: true });
  return files.filter((file) => file.endsWith('.kt')).map((file) => join(SHARED, set, 'kotlin', file));
}

async function buildsOf(example: string): Promise<string[]> {
  const files = await readdir(join(EXAMPLES, example), { recursive: true });
  const builds = files.filter((file) => file.endsWith('build.gradle.kts'));
  return Promise.all(builds.map((file) => readFile(join(EXAMPLES, example, file), 'utf8')));
}
