import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '@branchline/command-line';
import { findMissingJavaTool } from '@branchline/generator';
import { assemble } from './assemble.ts';
import { renderDocumentation } from './documentation.ts';
import { refuseDrift } from './drift.ts';
import { findExistingRelease, publish } from './maven-layout.ts';
import { compile, refuseOtherApi } from './maven.ts';
import { Refusal } from './refusal.ts';
import { stage } from './staging.ts';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = join(REPOSITORY, 'android-sdk');

/**
 * Builds the Android library from this repository's sources, and puts it into a folder of Maven's layout under the tag.
 *
 * @throws Refusal where what is there must not be released, or is released already.
 * @throws UserError where the build can't be run.
 */
export async function release(tag: string, out: string): Promise<void> {
  if (!existsSync(SOURCES)) {
    throw new UserError(
      'The Android library is built from its sources, which are in no npm package. Run this in a clone of the Branchline repository.',
    );
  }
  const missing = findMissingJavaTool();
  if (missing !== undefined) throw new UserError(`The Android library can not be built, since ${missing}`);
  const existing = findExistingRelease(out, tag);
  if (existing !== undefined)
    throw new Refusal(`${existing} is there already, and a release never changes; choose another tag.`);
  await refuseDrift(REPOSITORY);

  const work = await mkdtemp(join(tmpdir(), 'branchline-release-'));
  try {
    const build = { sdk: join(work, 'android-sdk'), target: join(work, 'target') };
    await stage(SOURCES, build.sdk, tag);
    await compile(build);
    const steps = [refuseOtherApi(build), renderDocumentation(build, tag)] as const;
    // Where one fails, the other still writes to the folder.
    await Promise.allSettled(steps);
    const [, documents] = await Promise.all(steps);
    await publish(out, tag, await assemble(build, tag, documents));
  } finally {
    await rm(work, { recursive: true });
  }
}
