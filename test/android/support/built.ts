import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Build } from '../../../packaging/build.ts';
import type { Contents } from '../../../packaging/contents.ts';
import { nameFile, type Variant } from '../../../packaging/coordinates.ts';
import { locateRelease } from '../../../packaging/maven-layout.ts';
import { RELEASE, TAG } from '../release.ts';

const sdk = fileURLToPath(new URL('../../../android-sdk', import.meta.url));

/** What `npm run test:android` has built. */
export const BUILD: Build = { sdk, target: join(sdk, 'target') };

/** Why there is nothing to test. */
export const notPackaged: string | undefined = existsSync(locateRelease(RELEASE, 'prod', TAG))
  ? undefined
  : 'the Android library is not packaged; run "npm run test:long"';

/** A file of the release. */
export function released(variant: Variant, ending: keyof Contents | '.pom' | '.module'): string {
  return join(locateRelease(RELEASE, variant, TAG), nameFile({ variant, tag: TAG }, ending));
}

/** Jars that Maven has found, by the name of the file that lists them. */
export function classpath(name: 'consumers/tools' | 'prod/compile' | 'prod/test'): readonly string[] {
  return readFileSync(join(BUILD.target, `${name}.classpath`), 'utf8')
    .trim()
    .split(':');
}

/** One of the jars that Maven has found. */
export function jarOf(artifact: string, jars: readonly string[]): string {
  const found = jars.find((jar) => jar.includes(`/${artifact}/`));
  if (found === undefined) throw new Error(`Maven has found no ${artifact}.`);
  return found;
}

/** Kotlin's standard library as apps get it, and Android. */
export function kotlinLibrary(): string {
  return jarOf('kotlin-stdlib', classpath('prod/compile'));
}

export function annotations(): string {
  return jarOf('annotations', classpath('prod/compile'));
}

export function android(): string {
  return jarOf('android-all', classpath('prod/compile'));
}

/** Why neither R8 nor D8 can be run. */
export function noR8(): string | undefined {
  if (notPackaged !== undefined) return notPackaged;
  const found = classpath('consumers/tools').some((jar) => jar.includes('/r8/'));
  return found ? undefined : 'R8 is not here; "npm run test:android" fetches it where CI is set';
}

/** Maven's local repository. */
export function localRepository(): string {
  const version = dirname(kotlinLibrary());
  return join(version, '../../../../..');
}
