import { computeChecksums } from './checksums.ts';
import type { Contents } from './contents.ts';
import { type Artifact, nameFile, GROUP } from './coordinates.ts';

type Attributes = Readonly<Record<string, string>>;

/**
 * Both artifacts have it, so Gradle refuses them together. Its message shows the name, which therefore says what to do.
 */
export const CAPABILITY = 'use-either-dev-or-prod';

const LIBRARY = { 'org.gradle.category': 'library' };

const COMMON = {
  'org.gradle.jvm.environment': 'non-jvm',
  'org.jetbrains.kotlin.platform.type': 'common',
};
const ANDROID = {
  'org.gradle.jvm.environment': 'android',
  'org.jetbrains.kotlin.platform.type': 'androidJvm',
};
const JVM = {
  'org.gradle.jvm.environment': 'standard-jvm',
  'org.jetbrains.kotlin.platform.type': 'jvm',
};

/** Gradle Module Metadata 1.1: which file of an artifact is for whom. The AAR is for every build type of an app. */
export function printModuleMetadata(artifact: Artifact, contents: Contents): string {
  const variant = (name: string, attributes: Attributes, file: keyof Contents): object => ({
    name,
    attributes,
    ...('org.gradle.docstype' in attributes ? {} : { dependencies: [requireStandardLibrary(artifact)] }),
    files: [describeFile(nameFile(artifact, file), contents[file])],
    capabilities: [artifact.variant, CAPABILITY].map((name) => ({ group: GROUP, name, version: artifact.tag })),
  });
  const metadata = {
    formatVersion: '1.1',
    component: {
      group: GROUP,
      module: artifact.variant,
      version: artifact.tag,
      attributes: { 'org.gradle.status': 'release' },
    },
    createdBy: { branchline: {} },
    variants: [
      variant('metadataApiElements', { ...LIBRARY, ...COMMON, ...describeUsage('kotlin-metadata') }, '-metadata.jar'),
      variant('metadataSourcesElements', { ...COMMON, ...describeDocuments('sources') }, '-metadata-sources.jar'),
      variant(
        'androidApiElements',
        { ...LIBRARY, ...ANDROID, ...describeElements('aar'), ...describeUsage('java-api') },
        '.aar',
      ),
      variant(
        'androidRuntimeElements',
        { ...LIBRARY, ...ANDROID, ...describeElements('aar'), ...describeUsage('java-runtime') },
        '.aar',
      ),
      variant('androidSourcesElements', { ...ANDROID, ...describeDocuments('sources') }, '-sources.jar'),
      variant('androidJavadocElements', { ...ANDROID, ...describeDocuments('javadoc') }, '-javadoc.jar'),
      variant(
        'jvmApiElements',
        { ...LIBRARY, ...JVM, ...describeElements('jar'), ...describeUsage('java-api') },
        '.jar',
      ),
      variant(
        'jvmRuntimeElements',
        { ...LIBRARY, ...JVM, ...describeElements('jar'), ...describeUsage('java-runtime') },
        '.jar',
      ),
      variant('jvmSourcesElements', { ...JVM, ...describeDocuments('sources') }, '-jvm-sources.jar'),
      variant('jvmJavadocElements', { ...JVM, ...describeDocuments('javadoc') }, '-javadoc.jar'),
    ],
  };
  return `${JSON.stringify(metadata, null, 2)}\n`;
}

function describeUsage(name: string): Attributes {
  return { 'org.gradle.usage': name };
}

function describeElements(kind: string): Attributes {
  return { 'org.gradle.libraryelements': kind };
}

function describeDocuments(kind: 'sources' | 'javadoc'): Attributes {
  return {
    'org.gradle.category': 'documentation',
    'org.gradle.dependency.bundling': 'external',
    'org.gradle.docstype': kind,
    'org.gradle.usage': 'java-runtime',
  };
}

function requireStandardLibrary({ kotlin }: Artifact): object {
  return { group: 'org.jetbrains.kotlin', module: 'kotlin-stdlib', version: { requires: kotlin } };
}

function describeFile(name: string, bytes: Uint8Array): object {
  const { md5, sha1, sha256, sha512 } = computeChecksums(bytes);
  return { name, url: name, size: bytes.length, sha512, sha256, sha1, md5 };
}
