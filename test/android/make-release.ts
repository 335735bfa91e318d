import { rmSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { RELEASE, TAG } from './release.ts';
import { runWithJava } from './support/java-command.ts';

/** Packages the Android library for the tests of those who build apps with it. */
rmSync(RELEASE, { recursive: true, force: true });
const launcher = fileURLToPath(new URL('../../bin/branchline.js', import.meta.url));
runWithJava('the Android library is not packaged', {
  command: process.execPath,
  runs: [[launcher, 'android', 'package', '--version', TAG, '--out', RELEASE]],
});
