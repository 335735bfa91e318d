import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { missingJvmTool, skipsJvm } from '../support/jvm-tools.ts';

/**
 * Builds and tests the Android library: `mvn verify` in `android-sdk/`. Where the tools for it are missing it says so and skips,
 * but fails where `CI` is set.
 */
if (missingJvmTool === undefined) {
  const { status } = spawnSync('mvn', ['--batch-mode', '--no-transfer-progress', 'verify'], {
    cwd: new URL('../../android-sdk/', import.meta.url),
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} else {
  process.stdout.write(`skipped: the Android library is neither built nor tested, since ${missingJvmTool}.\n`);
  if (!skipsJvm) process.exitCode = 1;
}
