import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nameFile, VARIANTS } from '../../packaging/coordinates.ts';
import { CAPABILITY } from '../../packaging/module-metadata.ts';
import { localRepository, notPackaged } from './support/built.ts';
import { describeUnless } from '../support/describe-unless.ts';
import { runTool } from './support/programs.ts';
import { RELEASE, TAG } from './release.ts';

const RESOLVER = fileURLToPath(new URL('consumers/Resolve.java', import.meta.url));

type Attributes = Readonly<Record<string, string>>;

interface Consumer {
  name: string;
  attributes: Attributes;
  dependencies: readonly string[];
  prefer?: Readonly<Record<string, string>>;
}

interface Resolved {
  files?: string[];
  error?: string;
}

const API = { 'org.gradle.category': 'library', 'org.gradle.usage': 'java-api' };
const RUNTIME = { 'org.gradle.category': 'library', 'org.gradle.usage': 'java-runtime' };
const ANDROID = { 'org.gradle.jvm.environment': 'android' };
const KOTLIN_ANDROID = { ...ANDROID, 'org.jetbrains.kotlin.platform.type': 'androidJvm' };
const JVM = { 'org.gradle.jvm.environment': 'standard-jvm', 'org.gradle.libraryelements': 'jar' };
const KOTLIN_JVM = { ...JVM, 'org.jetbrains.kotlin.platform.type': 'jvm' };
const KOTLIN_COMMON = {
  'org.gradle.category': 'library',
  'org.gradle.usage': 'kotlin-metadata',
  'org.gradle.jvm.environment': 'non-jvm',
  'org.jetbrains.kotlin.platform.type': 'common',
};
const DEBUG = { 'com.android.build.api.attributes.BuildTypeAttr': 'debug' };
const STAGING = { 'com.android.build.api.attributes.BuildTypeAttr': 'staging' };
const RELEASED = { 'com.android.build.api.attributes.BuildTypeAttr': 'release' };
const documents = (kind: string): Attributes => ({
  'org.gradle.category': 'documentation',
  'org.gradle.docstype': kind,
  'org.gradle.usage': 'java-runtime',
});

const dev = `app.service.inspector:dev:${TAG}`;
const prod = `app.service.inspector:prod:${TAG}`;
const capability = `app.service.inspector:${CAPABILITY}`;

/** What consumers ask for, and the file that is theirs. */
const KINDS: readonly (readonly [string, Attributes, string])[] = [
  ['debugCompile', { ...API, ...KOTLIN_ANDROID, ...DEBUG }, '.aar'],
  ['debugRuntime', { ...RUNTIME, ...KOTLIN_ANDROID, ...DEBUG }, '.aar'],
  ['stagingRuntime', { ...RUNTIME, ...KOTLIN_ANDROID, ...STAGING }, '.aar'],
  ['releaseCompile', { ...API, ...KOTLIN_ANDROID, ...RELEASED }, '.aar'],
  ['releaseRuntime', { ...RUNTIME, ...KOTLIN_ANDROID, ...RELEASED }, '.aar'],
  ['androidInJava', { ...RUNTIME, ...ANDROID, ...RELEASED }, '.aar'],
  ['jvmCompile', { ...API, ...KOTLIN_JVM }, '.jar'],
  ['jvmRuntime', { ...RUNTIME, ...KOTLIN_JVM }, '.jar'],
  ['jvmInJava', { ...RUNTIME, ...JVM }, '.jar'],
  ['common', KOTLIN_COMMON, '-metadata.jar'],
  ['androidSources', { ...documents('sources'), ...KOTLIN_ANDROID }, '-sources.jar'],
  ['jvmSources', { ...documents('sources'), ...KOTLIN_JVM }, '-jvm-sources.jar'],
  [
    'commonSources',
    { ...documents('sources'), 'org.jetbrains.kotlin.platform.type': 'common' },
    '-metadata-sources.jar',
  ],
  ['androidDocumentation', { ...documents('javadoc'), ...KOTLIN_ANDROID }, '-javadoc.jar'],
  ['jvmDocumentation', { ...documents('javadoc'), ...KOTLIN_JVM }, '-javadoc.jar'],
];

const ASKING = VARIANTS.flatMap((variant) =>
  KINDS.map(([kind, attributes, ending]) => ({
    name: `${kind}-${variant}`,
    attributes,
    dependencies: [`app.service.inspector:${variant}:${TAG}`],
    file: nameFile({ variant, tag: TAG }, ending),
  })),
);

const REFUSED: readonly Consumer[] = [
  { name: 'both', attributes: { ...RUNTIME, ...KOTLIN_ANDROID }, dependencies: [dev, prod] },
  { name: 'bothOnTheJvm', attributes: { ...RUNTIME, ...KOTLIN_JVM }, dependencies: [prod, dev] },
  {
    name: 'bothInCommonCode',
    attributes: KOTLIN_COMMON,
    dependencies: [prod, dev],
  },
];

const BOTH_AND_A_RULE: Consumer = {
  name: 'bothAndARule',
  attributes: { ...RUNTIME, ...KOTLIN_ANDROID, ...DEBUG },
  dependencies: [prod, dev],
  prefer: { [capability]: dev },
};

describeUnless(notPackaged, 'Gradle resolves the release', () => {
  let folder: string;
  let resolved: Record<string, Resolved>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'branchline-resolve-'));
    const consumers = JSON.stringify([...ASKING, ...REFUSED, BOTH_AND_A_RULE]);
    const open = ['--add-opens', 'java.base/java.lang=ALL-UNNAMED'];
    const said = await runTool(RESOLVER, [folder, RELEASE, localRepository(), consumers], open);
    resolved = JSON.parse(/^RESULT (.*)$/m.exec(said)?.[1] ?? '{}');
  });

  afterAll(() => rm(folder, { recursive: true }));

  it.each(ASKING)('for $name', ({ name, file }) => {
    const { files, error } = resolved[name] ?? {};
    expect(error).toBeUndefined();
    expect(files?.filter((it) => /^(dev|prod)-/.test(it))).toEqual([file]);
  });

  it('with the standard library of Kotlin and nothing else', () => {
    expect(resolved['releaseRuntime-prod']?.files).toEqual([
      `prod-${TAG}.aar`,
      expect.stringMatching(/^kotlin-stdlib-[\d.]+\.jar$/),
      expect.stringMatching(/^annotations-[\d.]+\.jar$/),
    ]);
  });

  it.each(REFUSED)('not with both artifacts at once, and says what to do: $name', ({ name }) => {
    expect(resolved[name]?.error).toContain(`conflict on capability '${capability}:${TAG}'`);
  });

  it('to dev, where a rule of the app prefers it', () => {
    expect(resolved['bothAndARule']?.files).toContain(`dev-${TAG}.aar`);
    expect(resolved['bothAndARule']?.files).not.toContain(`prod-${TAG}.aar`);
  });
});
