import { execFile } from 'node:child_process';
import { UserError } from '@branchline/command-line';
import type { Build } from './build.ts';
import { Refusal } from './refusal.ts';

/**
 * Compiles all that is released.
 *
 * @throws UserError where that fails.
 */
export async function compile(build: Build): Promise<void> {
  const { failed, output } = await runMaven(build, 'metadata,jvm,android,dev,prod,documentation');
  if (failed) throw explainFailure(output);
}

/**
 * Compares the public API of what was compiled with its dumps.
 *
 * @throws Refusal where they differ.
 */
export async function refuseOtherApi(build: Build): Promise<void> {
  const { failed, output } = await runMaven(build, 'checks');
  if (!failed) return;
  const [difference] = /The public API of .*\./.exec(output) ?? [];
  throw difference === undefined ? explainFailure(output) : new Refusal(difference);
}

function explainFailure(output: string): UserError {
  const [, cause = 'Maven does not say why'] = /^\[ERROR\] (.+)$/m.exec(output) ?? [];
  return new UserError(
    `The library could not be built: ${cause}. "mvn package" in android-sdk/ shows the whole of it.`,
  );
}

function runMaven({ sdk, target }: Build, modules: string): Promise<{ failed: boolean; output: string }> {
  const args = ['--batch-mode', '--no-transfer-progress', '-Dstyle.color=never', `-Dbranchline.build=${target}`];
  return new Promise((resolve) => {
    execFile(
      'mvn',
      [...args, '-P', 'release', '-pl', modules, 'package'],
      { cwd: sdk, maxBuffer: 64 * 1_024 * 1_024 },
      (error, stdout) => resolve({ failed: error !== null, output: stdout }),
    );
  });
}
