import { execFile } from 'node:child_process';
import { classpath } from './built.ts';

/** Runs a program to its end, and gives back all that it said. */
export function run(command: string, args: readonly string[], cwd?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, maxBuffer: 64 * 1_024 * 1_024 }, (error, stdout, stderr) => {
      const said = `${stdout}${stderr}`;
      if (error === null) resolve(said);
      else reject(new Error(`${command} ended with ${error.code}:\n${said}`));
    });
  });
}

/** For a JVM that lives for seconds: compilers run for half the processor time so. */
export const SHORT_LIVED = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'] as const;

/** Runs a program that is written in Java, from the tools of consumers. */
export function runTool(main: string, args: readonly string[], options: readonly string[] = []): Promise<string> {
  return run('java', [...SHORT_LIVED, ...options, '-cp', classpath('consumers/tools').join(':'), main, ...args]);
}

const STRICT = ['-language-version', '2.2', '-api-version', '2.2', '-Xsuppress-version-warnings', '-Werror'];

/** Compiles Kotlin, with the Java sources that it sees. Warnings are errors. */
export async function kotlinc(
  sources: readonly string[],
  jars: readonly string[],
  out: string,
  options: readonly string[] = [],
): Promise<void> {
  const target = ['-no-stdlib', '-no-reflect', '-jvm-target', '1.8'];
  const args = [...target, ...STRICT, ...options, '-cp', jars.join(':'), '-d', out, ...sources];
  await runTool('org.jetbrains.kotlin.cli.jvm.K2JVMCompiler', args);
}

/** Compiles Kotlin that knows no platform. Warnings are errors. */
export async function kotlinMetadata(
  sources: readonly string[],
  libraries: readonly string[],
  out: string,
): Promise<void> {
  const args = [
    '-Xmulti-platform',
    '-Xtarget-platform=JVM',
    ...STRICT,
    '-cp',
    libraries.join(':'),
    '-d',
    out,
    ...sources,
  ];
  await runTool('org.jetbrains.kotlin.cli.metadata.KotlinMetadataCompiler', args);
}

/** Compiles Java. Warnings are errors. */
export async function javac(sources: readonly string[], jars: readonly string[], out: string): Promise<void> {
  const lint = ['-Xlint:all,-options,-classfile', '-Werror'];
  await run('javac', ['--release', '8', ...lint, '-cp', jars.join(':'), '-d', out, ...sources]);
}
