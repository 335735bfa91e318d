import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Build } from '../../packaging/build.ts';
import { run } from '../programs.ts';
import { fromRoot } from '../subjects/subject.ts';

/** The library, built for being measured. */
export interface BenchBuild extends Build {
  /** All that the benchmarks of JMH need. */
  benchmarks: readonly string[];
  /** The library for a plain JVM, with all that it needs. */
  jvm: readonly string[];
  remove: () => Promise<void>;
}

/** Builds it into a folder of its own. */
export async function buildLibrary(): Promise<BenchBuild> {
  const target = await mkdtemp(join(tmpdir(), 'branchline-bench-'));
  const sdk = fromRoot('android-sdk');
  await run(
    'mvn',
    [...optionsOf(target), '-P', 'release,r8', '-pl', 'metadata,jvm,android,dev,prod,benchmarks,consumers', 'package'],
    sdk,
  );
  const jars = (await readFile(join(target, 'benchmarks/benchmarks.classpath'), 'utf8')).trim().split(delimiter);
  return {
    sdk,
    target,
    benchmarks: [join(target, 'benchmarks/classes'), ...jars],
    jvm: [join(target, 'jvm/classes'), ...jars.filter((jar) => jar.includes('/kotlin-stdlib/'))],
    remove: () => rm(target, { recursive: true }),
  };
}

/** Runs a test of the library on a plain JVM; answers with what it printed. */
export function runTest({ sdk, target }: Build, name: string, properties: readonly string[]): Promise<string> {
  return run('mvn', [...optionsOf(target), '-pl', 'jvm', 'test', `-Dtest=${name}`, ...properties], sdk);
}

function optionsOf(target: string): string[] {
  return ['--batch-mode', '--quiet', `-Dbranchline.build=${target}`];
}
