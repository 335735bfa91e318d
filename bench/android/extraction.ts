import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { MeasureOptions, Table } from '../measure.ts';
import { decimals, whole } from '../numbers.ts';
import { run } from '../programs.ts';
import { median } from '../statistics.ts';
import type { BenchBuild } from './build.ts';

/** What is measured, and what the closest library of the kind says of itself: nanoseconds and bytes for each extraction. */
const INPUTS = [
  { name: 'MAP_OF_10', about: 'Map of 10', others: { time: 340, bytes: 608 } },
  { name: 'JSON_OF_10', about: 'JSONObject of 10', others: { time: 420, bytes: 640 } },
  { name: 'MAPS_OF_10', about: '5 maps of 10', others: { time: 2_250, bytes: 3_408 } },
  { name: 'LIST_OF_1000', about: 'List of 1,000 mixed', others: { time: 37_000, bytes: 16_424 } },
  { name: 'OBJECT_OF_10', about: 'Object of 10 fields', others: { time: 570, bytes: 1_864 } },
] as const;

/** What JMH writes of a benchmark, as far as it is read here. */
interface Result {
  benchmark: string;
  params: { input: string };
  primaryMetric: Metric;
  secondaryMetrics: Record<string, Metric>;
}

interface Metric {
  rawData: number[][];
}

export async function measureExtraction(build: BenchBuild, options: MeasureOptions): Promise<Table> {
  const results = await runJmh(build, options);
  const rows = INPUTS.map(({ name, about, others }) => {
    const of = (method: string): Result => resultOf(results, method, name);
    const time = medianOf(of('extract').primaryMetric);
    const walk = medianOf(of('walk').primaryMetric);
    const bytes = medianOf(of('extract').secondaryMetrics['gc.alloc.rate.norm']);
    return [
      about,
      `${whole(time)} ns`,
      `${decimals(time / walk, 1)} ×`,
      `${decimals(time / others.time)} × ${whole(others.time)} ns`,
      `${whole(bytes)} B`,
      `${decimals(bytes / others.bytes)} × ${whole(others.bytes)} B`,
    ];
  });
  return {
    columns: ['`extractSchema` of', 'Time', 'Of a plain walk', 'Of the closest library', 'Allocated', 'Of the closest'],
    rows,
  };
}

/** A fork of the JVM for each round, an iteration for each second of it. */
async function runJmh(build: BenchBuild, { rounds, seconds }: MeasureOptions): Promise<Result[]> {
  const file = join(build.target, 'jmh.json');
  const often = ['-f', String(rounds), '-wi', '5', '-i', String(seconds)];
  const jmh = ['org.openjdk.jmh.Main', ...often, '-prof', 'gc', '-rf', 'json', '-rff', file];
  await run('java', ['-cp', build.benchmarks.join(delimiter), ...jmh]);
  const results: Result[] = JSON.parse(await readFile(file, 'utf8'));
  return results;
}

function resultOf(results: readonly Result[], method: string, input: string): Result {
  const found = results.find(({ benchmark, params }) => benchmark.endsWith(`.${method}`) && params.input === input);
  if (found === undefined) throw new Error(`JMH has not measured "${method}" of ${input}.`);
  return found;
}

function medianOf(metric: Metric | undefined): number {
  return median(metric?.rawData.flat() ?? []);
}
