import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { buildLibrary, runTest } from '../android/build.ts';
import { type Fate, killOften } from '../android/kills.ts';
import { startServer } from '../android/server.ts';
import { compileTracker } from '../android/tracker.ts';
import type { Measure } from '../measure.ts';
import { whole } from '../numbers.ts';

const KILLS = 1_000;
const GRAPHS = 1_000_000;

export const androidFaults: Measure = {
  name: 'android-faults',
  describe: 'the Inspector library: processes that are killed, and objects that no one should track (an hour)',
  async run({ quick }) {
    const kills = quick ? KILLS / 100 : KILLS;
    const graphs = quick ? GRAPHS / 100 : GRAPHS;
    const build = await buildLibrary();
    const server = await startServer();
    try {
      await runTest(build, 'RandomGraphsTest', [`-Dgraphs=${graphs}`]);
      const jars = await compileTracker(build.jvm, build.target);
      const folder = await mkdtemp(join(build.target, 'kills-'));
      const { old, young } = await killOften(jars, { ...server, kills, folder, safeAgeMs: 100 });
      return {
        title: 'Inspector library for Android: what goes wrong',
        about:
          `A JVM that tracks to a real server was killed ${whole(kills)} times (SIGKILL), each time while it sent; a last one sent what was left. ` +
          'Events that were 100 ms old must be counted once each; younger ones at most once. Random object graphs hold themselves, lie ' +
          'about their size and throw; each got a schema that the service takes. What a day without the service costs is a test: at most 600 requests, no event.',
        tables: [
          {
            columns: ['Events, when their process was killed', 'Tracked', 'Lost', 'Counted twice'],
            rows: [rowOf('100 ms old', old), rowOf('younger', young)],
          },
          { columns: ['Objects', 'Threw'], rows: [[`${whole(graphs)} random graphs`, 0]] },
        ],
      };
    } finally {
      await server.stop();
      await build.remove();
    }
  },
};

function rowOf(age: string, { tracked, lost, countedTwice }: Fate): string[] {
  return [age, whole(tracked), whole(lost), whole(countedTwice)];
}
