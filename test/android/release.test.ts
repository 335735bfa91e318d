import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { assemble } from '../../packaging/assemble.ts';
import { VARIANTS } from '../../packaging/coordinates.ts';
import { renderDocumentation } from '../../packaging/documentation.ts';
import { refuseDrift } from '../../packaging/drift.ts';
import { publish, locateRelease } from '../../packaging/maven-layout.ts';
import { refuseOtherApi } from '../../packaging/maven.ts';
import { stage } from '../../packaging/staging.ts';
import { branchline } from '../support/command-line.ts';
import { TAG, RELEASE } from './release.ts';
import { BUILD, notPackaged, released } from './support/built.ts';
import { describeUnless } from '../support/describe-unless.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGE = ['android', 'package', '--version'];

/** Compilers and Dokka take their time on a busy machine. */
const PATIENCE_MS = 180_000;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchline-release-test-'));
});

afterEach(() => rm(folder, { recursive: true }));

describeUnless(notPackaged, 'the release', () => {
  it('has what Maven and Gradle look for, and beside each file its checksums', async () => {
    for (const variant of VARIANTS) {
      const names = await readdir(locateRelease(RELEASE, variant, TAG));
      const files = names.filter((name) => !/\.(md5|sha1|sha256|sha512)$/.test(name));
      const endings = ['-javadoc.jar', '-jvm-sources.jar', '-metadata-sources.jar', '-metadata.jar', '-sources.jar'];
      expect(files).toEqual(
        [...endings, '.aar', '.jar', '.module', '.pom'].map((ending) => `${variant}-${TAG}${ending}`),
      );
      const metadata = join(locateRelease(RELEASE, variant, TAG), '../maven-metadata.xml');
      for (const path of [...files.map((name) => join(locateRelease(RELEASE, variant, TAG), name)), metadata]) {
        const bytes = await readFile(path);
        for (const sum of ['md5', 'sha1', 'sha256', 'sha512'])
          expect(await readFile(`${path}.${sum}`, 'utf8')).toBe(createHash(sum).update(bytes).digest('hex'));
      }
    }
  });

  it('is byte for byte what another build in another folder gives', { timeout: PATIENCE_MS }, async () => {
    await publish(folder, TAG, await assemble(BUILD, TAG, await renderDocumentation(BUILD, TAG)));
    const again = await hashesIn(folder);
    expect(again).toEqual(await hashesIn(RELEASE));
    expect(Object.keys(again)).toHaveLength(100);
  });

  it('describes its files by size and checksums', async () => {
    for (const variant of VARIANTS) {
      const metadata: Metadata = JSON.parse(await readFile(released(variant, '.module'), 'utf8'));
      expect(metadata.variants.map(({ name }) => name)).toContain('androidRuntimeElements');
      for (const file of metadata.variants.flatMap(({ files }) => files)) {
        const bytes = await readFile(join(dirname(released(variant, '.module')), file.url));
        expect(file.size).toBe(bytes.length);
        for (const sum of ['md5', 'sha1', 'sha256', 'sha512'] as const)
          expect(file[sum]).toBe(createHash(sum).update(bytes).digest('hex'));
      }
    }
  });

  it('says under which licence it is, by whom, and what it needs', async () => {
    const pom = await readFile(released('prod', '.pom'), 'utf8');
    expect(pom).toContain('<name>Apache-2.0</name>');
    expect(pom).toContain('<name>The developers of Branchline</name>');
    expect([...pom.matchAll(/<artifactId>(.*)<\/artifactId>/g)].map(([, name]) => name)).toEqual([
      'prod',
      'kotlin-stdlib',
    ]);
    expect(pom).toContain('published-with-gradle-metadata');
  });

  it('has AARs with rules for shrinkers and the permission to use the network, and no other', async () => {
    for (const variant of VARIANTS) {
      const aar = unzipSync(await readFile(released(variant, '.aar')));
      expect(Object.keys(aar)).toEqual([
        'AndroidManifest.xml',
        'META-INF/com/android/build/gradle/aar-metadata.properties',
        'R.txt',
        'baseline-prof.txt',
        'classes.jar',
        'proguard.txt',
      ]);
      const manifest = textOf(aar['AndroidManifest.xml']);
      expect([...manifest.matchAll(/permission android:name="(.*?)"/g)].map(([, name]) => name)).toEqual([
        'android.permission.INTERNET',
      ]);
      expect(manifest).toContain('package="app.service.inspector"');
      expect(manifest).toContain('android:minSdkVersion="21"');
      expect(textOf(aar['proguard.txt'])).toContain('\n-keep class app.service.inspector.** { *; }\n');
    }
  });

  it('has no more than 100 KiB for an app that users get', async () => {
    expect((await readFile(released('prod', '.aar'))).length).toBeLessThan(100 * 1_024);
  });

  it('has the visual inspector in dev alone', async () => {
    const classesOf = async (variant: 'dev' | 'prod'): Promise<string[]> => {
      const { 'classes.jar': classes } = unzipSync(await readFile(released(variant, '.aar')));
      return Object.keys(unzipSync(classes ?? new Uint8Array()));
    };
    expect(await classesOf('dev')).toContain('branchline/inspector/visual/Panel.class');
    expect(await classesOf('prod')).not.toContain('branchline/inspector/visual/Panel.class');
  });

  it('has the sources of what it has compiled, and their documentation', async () => {
    const sources = unzipSync(await readFile(released('prod', '-sources.jar')));
    expect(Object.keys(sources)).toContain('androidMain/app/service/inspector/ServiceInspector.kt');
    const contract = sources['commonMain/branchline/inspector/wire/InspectorContract.kt'];
    expect(textOf(contract)).toContain(`LIBRARY_VERSION: String = "${TAG}"`);
    const documents = unzipSync(await readFile(released('prod', '-javadoc.jar')));
    const page = Object.entries(documents).find(([name]) => name.endsWith('-service-inspector/index.html'));
    expect(textOf(page?.[1])).toContain('Derives the schemas of the analytics events that an app tracks');
  });

  it('lists all tags of an artifact, from the oldest to the newest', async () => {
    for (const tag of ['0.10.0', '0.9.0', '1.0.0-rc.1']) await publish(folder, tag, new Map([['dev', new Map()]]));
    const metadata = await readFile(join(folder, 'app/service/inspector/dev/maven-metadata.xml'), 'utf8');
    expect([...metadata.matchAll(/<version>(.*)<\/version>/g)].map(([, tag]) => tag)).toEqual([
      '0.9.0',
      '0.10.0',
      '1.0.0-rc.1',
    ]);
    expect(metadata).toContain('<latest>1.0.0-rc.1</latest>');
    expect(metadata).toContain('<release>0.10.0</release>');
  });
});

describeUnless(notPackaged, 'a release that must not be', () => {
  it('of a tag that is there already: exit code 1', async () => {
    const { exitCode, stderr } = await branchline([...PACKAGE, TAG, '--out', RELEASE]);
    expect(stderr).toBe(
      `branchline: ${locateRelease(RELEASE, 'dev', TAG)} is there already, and a release never changes; choose another tag.\n`,
    );
    expect(exitCode).toBe(1);
  });

  it('of a public API that is not that of its dump', { timeout: PATIENCE_MS }, async () => {
    const build = { sdk: join(folder, 'android-sdk'), target: join(folder, 'target') };
    await stage(BUILD.sdk, build.sdk, TAG);
    await mkdir(build.target);
    for (const variant of VARIANTS) await symlink(join(BUILD.target, variant), join(build.target, variant));
    const dump = join(build.sdk, 'api/dev.api');
    await writeFile(dump, (await readFile(dump, 'utf8')).replace('fun trackSchema (', 'fun trackOther ('));
    await expect(refuseOtherApi(build)).rejects.toThrow(
      'The public API of dev is not that of android-sdk/api/dev.api; build with -Dapi.update=true if that is meant.',
    );
  });

  it('without Java: exit code 2', async () => {
    const { exitCode, stderr } = await branchline([...PACKAGE, '1.2.3', '--out', folder], {
      PATH: dirname(process.execPath),
    });
    expect(stderr).toBe(
      'branchline: The Android library can not be built, since there is no JDK; install JDK 17 or newer.\n',
    );
    expect(exitCode).toBe(2);
  });
});

it('refuses a release of generated code that is not what the contract says', async () => {
  const generated = ['server/generated', 'conformance/generated', 'android-sdk/inspector/src/commonMain/generated'];
  const written = ['package.json', 'tsconfig.json', 'server/app.ts', 'server/handlers.ts', 'server/main.ts'];
  for (const name of ['openapi.yaml', ...generated, ...written])
    await cp(join(REPOSITORY, name), join(folder, name), { recursive: true });
  await refuseDrift(folder);
  const file = join(folder, 'server/generated/types.ts');
  await writeFile(file, (await readFile(file, 'utf8')).concat('// edited\n'));
  await expect(refuseDrift(folder)).rejects.toThrow(
    'server/generated/types.ts is not what the contract says; run "branchline generate" and commit the result before you release.',
  );
});

it.each(['v1.2.3', '1.2', '1.2.3-SNAPSHOT'])('refuses the tag %s with a sentence and exit code 2', async (tag) => {
  const { exitCode, stderr } = await branchline([...PACKAGE, tag, '--out', folder]);
  expect(stderr).toMatch(/'--version <tag>' argument '.*' is invalid\. A (tag|release) .*\.\n/);
  expect(exitCode).toBe(2);
});

interface Metadata {
  variants: {
    name: string;
    files: { url: string; size: number; md5: string; sha1: string; sha256: string; sha512: string }[];
  }[];
}

function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('utf8');
}

async function hashesIn(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const hashes = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const hash = createHash('sha256').update(await readFile(path));
      return [path.slice(root.length + 1), hash.digest('hex')] as const;
    });
  return Object.fromEntries(await Promise.all(hashes));
}
