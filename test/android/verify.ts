import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { missingJavaTool } from '../../packaging/java-tools.ts';
import { RELEASE, TAG } from './release.ts';

/**
 * Builds and tests the Android library, by `mvn clean verify` in `android-sdk/`, and packages it for the tests of who consumes it. Where
 * the tools for it are missing it says so and skips, but fails where `CI` is set.
 */
const missing = missingJavaTool();
if (missing === undefined) {
  process.exitCode = verify() || makeRelease();
} else {
  process.stdout.write(`skipped: the Android library is neither built nor tested, since ${missing}\n`);
  if (process.env['CI'] !== undefined) process.exitCode = 1;
}

function verify(): number {
  // Kotlin's compiler leaves the classes of sources that are gone.
  return run(
    'mvn',
    ['--batch-mode', '--no-transfer-progress', 'clean', 'verify'],
    new URL('../../android-sdk/', import.meta.url),
  );
}

function makeRelease(): number {
  rmSync(RELEASE, { recursive: true, force: true });
  const launcher = fileURLToPath(new URL('../../bin/branchline.js', import.meta.url));
  return run(process.execPath, [launcher, 'android', 'package', '--version', TAG, '--out', RELEASE]);
}

function run(command: string, args: readonly string[], cwd?: URL): number {
  return spawnSync(command, args, { cwd, stdio: 'inherit' }).status ?? 1;
}
