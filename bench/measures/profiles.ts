import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Work } from '../load/plan.ts';
import { measureLoad } from '../load/run.ts';
import type { Measure, MeasureOptions } from '../measure.ts';
import { whole } from '../numbers.ts';
import { drawFlameGraph } from '../profiles/flame-graph.ts';
import { readThreads, type Thread } from '../profiles/profile.ts';
import { startBranchline } from '../subjects/branchline.ts';
import { type BenchDatabase, makeDatabase } from '../subjects/database.ts';
import { WORKSPACE } from '../subjects/place.ts';
import { seedBranches } from '../subjects/seed.ts';
import { fromRoot, type RunningSubject } from '../subjects/subject.ts';

const FOLDER = 'docs/benchmarks';
const BRANCHES = `/workspaces/${WORKSPACE}/branches`;

/** What a server is profiled at, from its start to its end. */
interface Scene {
  name: string;
  title: string;
  /** In the database before. */
  branches?: number;
  /** @returns how many requests it sent. */
  load: (server: RunningSubject, database: BenchDatabase, options: MeasureOptions) => Promise<number>;
}

const SCENES: readonly Scene[] = [
  { name: 'start', title: 'Start, and one answer', load: (...server) => read(...server, `${BRANCHES}/v1`) },
  {
    name: 'create-1',
    title: 'Create Branch, 1 connection',
    load: (...server) => load(...server, { kind: 'create', path: `${BRANCHES}/v1` }, 1),
  },
  {
    name: 'create-32',
    title: 'Create Branch, 32 connections',
    load: (...server) => load(...server, { kind: 'create', path: `${BRANCHES}/v1` }, 32),
  },
  {
    name: 'ingest',
    title: 'Ingest of batches of 30, 32 connections',
    load: (...server) =>
      load(
        ...server,
        { kind: 'ingest', path: '/inspector/batches/v1', batchSize: 30, shapes: 200, ids: 'timeOrdered' },
        32,
      ),
  },
  {
    name: 'export',
    title: 'Export of 300,000 branches',
    branches: 300_000,
    load: (...server) => read(...server, `${BRANCHES}/export/v1`),
  },
];

export const profiles: Measure = {
  name: 'profiles',
  describe: 'where the time of starting, creating, ingest and export goes, as flame graphs in docs/benchmarks/',
  async run(options) {
    mkdirSync(fromRoot(FOLDER), { recursive: true });
    const rows = [];
    for (const scene of SCENES) {
      const { threads, requests } = await profile(scene, options);
      writeFileSync(fromRoot(`${FOLDER}/${scene.name}.svg`), drawFlameGraph(scene.title, threads));
      const times = threads.map(({ name, root }) => `${name} ${whole(root.total / 1_000)}`).join(', ');
      rows.push([scene.title, times, whole(requests), `[flame graph](benchmarks/${scene.name}.svg)`]);
    }
    return {
      title: 'Where the time goes',
      about:
        'Each server is profiled from its start to its end (`node --cpu-prof`, a sample each half millisecond), on SQLite, with Node’s compile cache ' +
        'warm. A call stands under what called it, as wide as the time that it took; opened by itself, a picture names each call and its share. ' +
        'Threads that did next to nothing are left out.',
      tables: [{ columns: ['Server', 'Processor time by thread, ms', 'Requests', 'Picture'], rows }],
    };
  },
};

async function profile(
  { branches, load: send }: Scene,
  options: MeasureOptions,
): Promise<{ threads: Thread[]; requests: number }> {
  const database = await makeDatabase();
  if (branches !== undefined) seedBranches(database.file, branches);
  const folder = mkdtempSync(join(tmpdir(), 'branchline-bench-profile-'));
  try {
    // Fills the compile cache.
    await (await startBranchline(database, database)).stop();
    // In the environment, so that threads are sampled too.
    const NODE_OPTIONS = `--cpu-prof --cpu-prof-dir=${folder} --cpu-prof-interval=500`;
    const server = await startBranchline(database, database, { NODE_OPTIONS });
    const requests = await send(server, database, options);
    await server.stop();
    return { threads: readThreads(folder), requests };
  } finally {
    database.remove();
    rmSync(folder, { recursive: true });
  }
}

async function load(
  server: RunningSubject,
  { accountHeaders, keyHeaders }: BenchDatabase,
  { seconds }: MeasureOptions,
  work: Work,
  connections: number,
): Promise<number> {
  const headers = work.kind === 'ingest' ? keyHeaders : accountHeaders;
  const { requests } = await measureLoad(server, { work, headers, connections, seconds });
  return requests;
}

async function read(
  { origin }: RunningSubject,
  { accountHeaders }: BenchDatabase,
  _options: MeasureOptions,
  path: string,
): Promise<number> {
  const response = await fetch(origin + path, { headers: accountHeaders });
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  await response.text();
  return 1;
}
