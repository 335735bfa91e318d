import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { MeasureOptions, Table } from '../measure.ts';
import { decimals } from '../numbers.ts';
import { median } from '../statistics.ts';
import { compileTracker, Tracker } from './tracker.ts';
import type { BenchBuild } from './build.ts';
import type { BenchServer } from './server.ts';

/** Ten times what a busy app tracks. */
const PAUSE_NANOS = 10_000_000;

/** What an app's own thread waits for. */
export async function measureTracking(build: BenchBuild, server: BenchServer, options: MeasureOptions): Promise<Table> {
  const jars = await compileTracker(build.jvm, build.target);
  const count = Math.round((options.seconds * 1e9) / PAUSE_NANOS);
  const starts: { constructing: number; first: number; p50: number; p99: number; walk: number }[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const folder = await mkdtemp(join(build.target, 'tracking-'));
    const tracker = await Tracker.start(jars, { ...server, folder, batchSize: 30 });
    const first = await tracker.track(1, 'First');
    const { p50, p99 } = await tracker.track(count, 'Checkout', PAUSE_NANOS);
    const walk = await tracker.track(count, 'WALK', PAUSE_NANOS);
    await tracker.kill();
    starts.push({ constructing: tracker.constructing, first: first.p50, p50, p99, walk: walk.p50 });
  }
  const of = (figure: 'constructing' | 'first' | 'p50' | 'p99' | 'walk', unit: number, digits: number): string =>
    decimals(median(starts.map((start) => start[figure])) / unit, digits);
  return {
    columns: ['On the thread of the caller', 'Time'],
    rows: [
      ['The constructor, in a process that has just started', `${of('constructing', 1e6, 1)} ms`],
      ['The first `trackSchemaFromEvent`', `${of('first', 1e6, 1)} ms`],
      ['Each other, p50', `${of('p50', 1e3, 0)} µs`],
      ['Each other, p99', `${of('p99', 1e3, 0)} µs`],
      ['A plain walk and an `offer` in the same process, p50', `${of('walk', 1e3, 0)} µs`],
      ['p50 of both, goal: 3 × at most', `${decimals(median(starts.map(({ p50, walk }) => p50 / walk)), 1)} ×`],
    ],
  };
}
