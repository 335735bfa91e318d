import { spawnSync } from 'node:child_process';
import process from 'node:process';

/**
 * Builds and tests the Android library: `mvn verify` in `android-sdk/`. Where the tools for it are missing it says so and skips,
 * but fails where `CI` is set.
 */
const missing = missingTool();
if (missing === undefined) {
  const { status } = spawnSync('mvn', ['--batch-mode', '--no-transfer-progress', 'verify'], {
    cwd: new URL('../../android-sdk/', import.meta.url),
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} else {
  process.stdout.write(`skipped: the Android library is neither built nor tested, since ${missing}\n`);
  if (process.env['CI'] !== undefined) process.exitCode = 1;
}

function missingTool(): string | undefined {
  const java = /^javac (\d+)/.exec(answer('javac', '-version'));
  if (java === null) return 'there is no JDK; install JDK 17 or newer.';
  if (Number(java[1]) < 17) return `the JDK is ${java[1]}; install JDK 17 or newer.`;
  const maven = /Apache Maven (\d+)\.(\d+)/.exec(answer('mvn', '--version'));
  if (maven === null) return 'there is no Maven; install Maven 3.8 or newer.';
  if (Number(maven[1]) * 100 + Number(maven[2]) < 308) return `this is ${maven[0]}; install Maven 3.8 or newer.`;
  return undefined;
}

/** What a command says; nothing where there is none. */
function answer(command: string, ...args: string[]): string {
  return spawnSync(command, args, { encoding: 'utf8' }).stdout ?? '';
}
