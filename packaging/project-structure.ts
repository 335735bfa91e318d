import { encodeText } from './archive.ts';

/** Those through which other platforms than the common one come to the artifact; their names as in the module metadata. */
export const PLATFORM_VARIANTS = [
  'androidApiElements',
  'androidRuntimeElements',
  'jvmApiElements',
  'jvmRuntimeElements',
] as const;

/** Tells Kotlin's Gradle plugin what the archive of the common metadata holds, and for which variants. */
export function encodeProjectStructure(): Uint8Array {
  const structure = {
    projectStructure: {
      formatVersion: '0.3.3',
      isPublishedAsRoot: 'true',
      variants: PLATFORM_VARIANTS.map((name) => ({ name, sourceSet: ['commonMain'] })),
      sourceSets: [
        {
          name: 'commonMain',
          dependsOn: [],
          moduleDependency: ['org.jetbrains.kotlin:kotlin-stdlib'],
          binaryLayout: 'klib',
        },
      ],
    },
  };
  return encodeText(`${JSON.stringify(structure, null, 2)}\n`);
}
