import { scoreOf, type Score } from '../contest.ts';
import type { Work } from '../load/plan.ts';
import { measureLoad } from '../load/run.ts';
import { startPostgres, startSqlite } from '../isolation/engines.ts';
import { install } from '../isolation/installation.ts';
import { addApps, sendVersions, type VersionCost } from '../isolation/many-versions.ts';
import type { Measure, MeasureOptions, Table } from '../measure.ts';
import { decimals, whole } from '../numbers.ts';
import { startBranchline } from '../subjects/branchline.ts';
import { type BenchDatabase, makeDatabase } from '../subjects/database.ts';
import { SOURCE, WORKSPACE } from '../subjects/place.ts';
import { seedBranches, seedObservations } from '../subjects/seed.ts';
import { fromRoot, type RunningSubject } from '../subjects/subject.ts';

const CONNECTIONS = 8;

const OPERATIONS: Record<string, { work: Work; as: 'accountHeaders' | 'keyHeaders' }> = {
  'List branches': { work: { kind: 'read', path: `/workspaces/${WORKSPACE}/branches/v1` }, as: 'accountHeaders' },
  'Observed events': {
    work: { kind: 'read', path: `/workspaces/${WORKSPACE}/inspector/events/v1?source=${SOURCE}&environment=prod` },
    as: 'accountHeaders',
  },
  'Create Branch': { work: { kind: 'create', path: `/workspaces/${WORKSPACE}/branches/v1` }, as: 'accountHeaders' },
  Ingest: {
    work: { kind: 'ingest', path: '/inspector/batches/v1', batchSize: 30, shapes: 200, ids: 'timeOrdered' },
    as: 'keyHeaders',
  },
  'Ingest, random ids': {
    work: { kind: 'ingest', path: '/inspector/batches/v1', batchSize: 30, shapes: 200, ids: 'random' },
    as: 'keyHeaders',
  },
};

interface Stage {
  rows: number;
  database: BenchDatabase;
  server: RunningSubject;
}

export const growth: Measure = {
  name: 'growth',
  describe: 'cost of a request over empty tables and over many rows, and of a batch beside many app versions',
  async run(options) {
    const stages: Stage[] = [];
    // The smallest has a page for the reports; an empty one would answer with less.
    for (const rows of options.quick ? [200, 10_000, 100_000] : [200, 100_000, 1_000_000])
      stages.push(await prepare(rows));
    const rows: string[][] = [];
    for (const [name, operation] of Object.entries(OPERATIONS)) {
      const scores = await measureInTurns(stages, operation, options);
      rows.push(...scores.map((score, index) => row(name, stages[index]?.rows ?? 0, score, scores[0])));
    }
    for (const { server, database } of stages) {
      await server.stop();
      database.remove();
    }
    return {
      title: 'Cost as data grows',
      about:
        `As many branches, observed events, shapes and remembered messages as the first column says, ${CONNECTIONS} connections. A page of a list ` +
        'has 50 entries. What counts is that the processor time of a request does not grow with the rows, nor that of a batch with the app versions ' +
        'that there are: four sources send version after version in three environments, each with 50 properties of other types than the one before.',
      tables: [
        { columns: ['Operation', 'Rows', 'requests/s', 'p99 ms', 'CPU µs/request', 'CPU, against fewest rows'], rows },
        await measureVersions(options.quick),
      ],
    };
  },
};

/** The processor time of the database is in it. */
async function measureVersions(quick: boolean): Promise<Table> {
  const rows: string[][] = [];
  for (const startEngine of [startSqlite, startPostgres]) {
    const engine = await startEngine();
    const installation = await install({ name: 'present', root: fromRoot('.') }, engine);
    try {
      const { costs } = await sendVersions(installation, await addApps(installation), quick);
      rows.push(...costs.map((cost) => versionRow(engine.name, cost, costs[0])));
    } finally {
      await installation.remove();
      await engine.remove();
    }
  }
  return { columns: ['A batch of a new version', 'Versions', 'CPU ms/batch', 'CPU, against fewest versions'], rows };
}

function versionRow(engine: string, { versions, milliseconds }: VersionCost, first: VersionCost | undefined): string[] {
  const ratio = milliseconds / (first?.milliseconds ?? milliseconds);
  return [engine, whole(versions), decimals(milliseconds, 1), `${decimals(ratio)} ×`];
}

async function prepare(rows: number): Promise<Stage> {
  const database = await makeDatabase();
  seedBranches(database.file, rows);
  seedObservations(database.file, rows);
  const server = await startBranchline(database, database);
  return { rows, database, server };
}

async function measureInTurns(
  stages: readonly Stage[],
  { work, as }: { work: Work; as: 'accountHeaders' | 'keyHeaders' },
  { rounds, seconds }: MeasureOptions,
): Promise<Score[]> {
  const measured = stages.map(() => [] as Awaited<ReturnType<typeof measureLoad>>[]);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { server, database }] of stages.entries()) {
      const result = await measureLoad(server, { work, headers: database[as], connections: CONNECTIONS, seconds });
      // The first round only warms up.
      if (round > 0) measured[index]?.push(result);
    }
  }
  return measured.map(scoreOf);
}

function row(name: string, rows: number, score: Score, first: Score | undefined): string[] {
  const ratio = score.cpuMicroseconds / (first ?? score).cpuMicroseconds;
  return [
    name,
    whole(rows),
    whole(score.perSecond),
    decimals(score.p99),
    whole(score.cpuMicroseconds),
    `${decimals(ratio)} ×`,
  ];
}
