import type { Measure, Table } from '../measure.ts';
import { mebibytes, medianWhole } from '../numbers.ts';
import { run } from '../programs.ts';
import { cpuSeconds, residentMemory } from '../process-figures.ts';
import { median } from '../statistics.ts';
import { startBranchline } from '../subjects/branchline.ts';
import { type BenchDatabase, makeDatabase } from '../subjects/database.ts';
import { WORKSPACE } from '../subjects/place.ts';
import { fromRoot, type RunningSubject, startProgram } from '../subjects/subject.ts';

const IDLE_MS = 3_000;

/** Milliseconds, and bytes. */
interface Start {
  listens: number;
  answers: number;
  /** Processor time until then. */
  cpu: number;
  idle: number;
}

/** As Branchline does for itself. */
const WITH_CACHE = [
  '--import',
  'data:text/javascript,import{enableCompileCache}from"node:module";enableCompileCache()',
];

const SUBJECTS: Record<string, (database: BenchDatabase) => Promise<RunningSubject>> = {
  Branchline: (database) => startBranchline(database, database),
  'bare Fastify': ({ file, folder }) => startProgram('bench/subjects/fastify.ts', [file], folder, WITH_CACHE),
  'bare Node': ({ folder }) => startProgram('bench/subjects/node.ts', [], folder, WITH_CACHE),
};

export const startUp: Measure = {
  name: 'start-up',
  describe: 'from the start of the process to its first answer, and its memory when idle, beside bare Fastify and Node',
  async run({ rounds }) {
    const database = await makeDatabase();
    const starts = new Map(Object.keys(SUBJECTS).map((name): [string, Start[]] => [name, []]));
    // The first round fills the compile cache and does not count.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, start] of Object.entries(SUBJECTS)) {
        const measured = await startOnce(start, database);
        if (round > 0) starts.get(name)?.push(measured);
      }
    }
    database.remove();
    return {
      title: 'Start-up and idle memory',
      about:
        '`node bin/branchline.js serve` on a database that exists, with Node’s compile cache warm, as it is from the second start on. The ' +
        'first request is an authenticated one. Bare Fastify opens the same database and has two routes; bare Node is an HTTP server and ' +
        'nothing else. Times are the median, with the least and the most. Goals: answered within 250 ms, and 90 MiB; `--help` within 100 ms.',
      tables: [
        {
          columns: ['', 'Listens after ms', 'Answers after ms', 'CPU ms until then', 'Memory when idle (resident)'],
          rows: [...starts].map(([name, all]) => {
            const of = (figure: keyof Start): number[] => all.map((start) => start[figure]);
            const idle = mebibytes(median(of('idle')));
            return [name, medianWhole(of('listens')), medianWhole(of('answers')), medianWhole(of('cpu')), idle];
          }),
        },
        await timePrograms(rounds),
      ],
    };
  },
};

/** Programs that end by themselves. */
const PROGRAMS: Record<string, string[]> = {
  'branchline --help': [fromRoot('bin/branchline.js'), '--help'],
  'branchline key --help': [fromRoot('bin/branchline.js'), 'key', '--help'],
  'node --eval 0': ['--eval', '0'],
};

async function timePrograms(rounds: number): Promise<Table> {
  const times = new Map(Object.keys(PROGRAMS).map((name): [string, number[]] => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, parameters] of Object.entries(PROGRAMS)) {
      const begun = performance.now();
      await run(process.execPath, parameters);
      if (round > 0) times.get(name)?.push(performance.now() - begun);
    }
  }
  return { columns: ['', 'Ended after ms'], rows: [...times].map(([name, all]) => [name, medianWhole(all)]) };
}

async function startOnce(
  start: (database: BenchDatabase) => Promise<RunningSubject>,
  database: BenchDatabase,
): Promise<Start> {
  const begun = performance.now();
  const server = await start(database);
  const response = await fetch(`${server.origin}/workspaces/${WORKSPACE}/branches/v1`, {
    headers: database.accountHeaders,
  });
  await response.text();
  const answers = performance.now() - begun;
  const cpu = cpuSeconds(server.pid) * 1_000;
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const idle = residentMemory(server.pid).now;
  await server.stop();
  return { listens: server.startedIn, answers, cpu, idle };
}
