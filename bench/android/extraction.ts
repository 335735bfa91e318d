import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { MeasureOptions, Table } from '../measure.ts';
import { decimals, whole } from '../numbers.ts';
import { run } from '../programs.ts';
import { median } from '../statistics.ts';
import type { BenchBuild } from './build.ts';

const INPUTS = [
  { name: 'MAP_OF_10', about: 'Map of 10' },
  { name: 'JSON_OF_10', about: 'JSONObject of 10' },
  { name: 'MAPS_OF_10', about: '5 maps of 10' },
  { name: 'LIST_OF_1000', about: 'List of 1,000 mixed' },
  { name: 'OBJECT_OF_10', about: 'Object of 10 fields' },
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
  const rows = INPUTS.map(({ name, about }) => {
    const time = (method: string): number => medianOf(resultOf(results, method, name).primaryMetric);
    const bytes = (method: string): number =>
      medianOf(resultOf(results, method, name).secondaryMetrics['gc.alloc.rate.norm']);
    return [
      about,
      `${whole(time('extract'))} ns`,
      `${decimals(time('extract') / time('walk'), 1)} ×`,
      `${decimals(time('extract') / time('usual'))} ×`,
      `${whole(bytes('extract'))} B`,
      `${decimals(bytes('extract') / bytes('usual'))} ×`,
    ];
  });
  return {
    columns: ['`extractSchema` of', 'Time', 'Of a plain walk', 'Of the usual way', 'Allocated', 'Of the usual way’s'],
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
