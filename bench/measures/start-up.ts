import type { Measure, MeasureOptions } from '../measure.ts';
import { mebibytes, whole } from '../numbers.ts';
import { residentMemory } from '../process-figures.ts';
import { median } from '../statistics.ts';
import { startBranchline } from '../subjects/branchline.ts';
import { type BenchDatabase, makeDatabase } from '../subjects/database.ts';
import { WORKSPACE } from '../subjects/place.ts';

const IDLE_MS = 3_000;

/** Milliseconds, and bytes. */
interface Start {
  listens: number;
  answers: number;
  idle: number;
}

export const startUp: Measure = {
  name: 'start-up',
  describe: 'from the start of the process to its first answer, and its memory when idle',
  async run(options) {
    const database = await makeDatabase();
    const starts = await startOften(database, options);
    database.remove();
    const of = (figure: keyof Start): number => median(starts.map((start) => start[figure]));
    return {
      title: 'Start-up and idle memory',
      about:
        '`node bin/branchline.js serve` on a database that exists, with Node’s compile cache warm, as it is from the second start on. The ' +
        'first request is an authenticated one. Goal: answered within 600 ms.',
      tables: [
        {
          columns: ['Figure', 'Value'],
          rows: [
            ['Until it listens', `${whole(of('listens'))} ms`],
            ['Until the first request is answered', `${whole(of('answers'))} ms`],
            ['Memory when idle (resident)', mebibytes(of('idle'))],
          ],
        },
      ],
    };
  },
};

/** The first start fills the compile cache and does not count. */
async function startOften(database: BenchDatabase, { rounds }: MeasureOptions): Promise<Start[]> {
  await startOnce(database);
  const starts: Start[] = [];
  for (let round = 0; round < rounds; round += 1) starts.push(await startOnce(database));
  return starts;
}

async function startOnce(database: BenchDatabase): Promise<Start> {
  const begun = performance.now();
  const server = await startBranchline(database, database);
  const response = await fetch(`${server.origin}/workspaces/${WORKSPACE}/branches/v1`, {
    headers: database.accountHeaders,
  });
  await response.text();
  const answers = performance.now() - begun;
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const idle = residentMemory(server.pid).now;
  await server.stop();
  return { listens: server.startedIn, answers, idle };
}
