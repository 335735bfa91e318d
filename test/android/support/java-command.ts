import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { findMissingJavaTool } from '../../../generator/targets/kotlin/java-tools.ts';

interface JavaCommand {
  command: string;
  /** What it is run with, one after the other until one fails. */
  runs: readonly (readonly string[])[];
  cwd?: URL;
}

/**
 * Runs a command that needs Java's tools, and ends this process with the exit code of the last run. Where the tools are missing it
 * says what is not done and why, and skips, but fails where `CI` is set.
 */
export function runWithJava(notDone: string, { command, runs, cwd }: JavaCommand): void {
  const missing = findMissingJavaTool();
  if (missing === undefined) {
    for (const args of runs) {
      process.exitCode = spawnSync(command, args, { cwd, stdio: 'inherit' }).status ?? 1;
      if (process.exitCode !== 0) return;
    }
    return;
  }
  process.stdout.write(`skipped: ${notDone}, since ${missing}\n`);
  if (process.env['CI'] !== undefined) process.exitCode = 1;
}
