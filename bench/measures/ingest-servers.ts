import { checkoutsOf } from '../isolation/checkouts.ts';
import { startPostgres } from '../isolation/engines.ts';
import { type Installation, install } from '../isolation/installation.ts';
import { INGEST_PATH } from '../isolation/tenants.ts';
import { measureLoad } from '../load/run.ts';
import type { Measure, MeasureOptions } from '../measure.ts';
import { medianRatio, whole } from '../numbers.ts';
import { median } from '../statistics.ts';
import type { RunningSubject } from '../subjects/subject.ts';

const FORM = { batchSize: 30, shapes: 200, ids: 'timeOrdered' } as const;

const CONNECTIONS = 32;

/** Far away: what is measured are the servers, not their limits. */
const UNLIMITED = ['--ingest-rate-limit', '100000'];

const WARM_UP_SECONDS = 2;

export const ingestServers: Measure = {
  name: 'ingest-servers',
  describe: 'one server and two on one PostgreSQL database',
  async run(options) {
    const [present] = await checkoutsOf(undefined);
    if (present === undefined) throw new Error('There is nothing to measure.');
    const engine = await startPostgres();
    try {
      const installation = await install(present, engine, UNLIMITED);
      const second = await installation.startServer();
      const one = [installation.server];
      const two = [installation.server, second];
      for (const servers of [one, two]) await measureServers(installation, servers, WARM_UP_SECONDS);
      const rounds = await roundsOf(installation, [one, two], options);
      await second.stop();
      await installation.remove();
      return findingOf(rounds, options);
    } finally {
      await engine.remove();
    }
  },
};

/** What servers took together. */
interface Taken {
  eventsPerSecond: number;
  /** Processor time of a batch, in microseconds: of the servers, and of the database. */
  serverCpu: number;
  databaseCpu: number;
}

/** Of each round what each of the groups of servers took, in turns. */
async function roundsOf(
  installation: Installation,
  groups: readonly (readonly RunningSubject[])[],
  { rounds, seconds }: MeasureOptions,
): Promise<Taken[][]> {
  const figures: Taken[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const found: Taken[] = [];
    for (const servers of groups) found.push(await measureServers(installation, servers, seconds));
    figures.push(found);
  }
  return figures;
}

/** The connections are shared among the servers. */
async function measureServers(
  { victim, database }: Installation,
  servers: readonly RunningSubject[],
  seconds: number,
): Promise<Taken> {
  const before = database.cpuSeconds() ?? 0;
  const loads = servers.map((server) =>
    measureLoad(server, {
      work: { kind: 'ingest', path: INGEST_PATH, ...FORM },
      headers: victim.app,
      connections: CONNECTIONS / servers.length,
      seconds,
    }),
  );
  const measured = await Promise.all(loads);
  const databaseSeconds = (database.cpuSeconds() ?? 0) - before;
  const batches = sum(measured.map(({ requests }) => requests));
  return {
    eventsPerSecond: sum(measured.map(({ perSecond }) => perSecond)) * FORM.batchSize,
    serverCpu: sum(measured.map(({ requests, cpuMicroseconds }) => requests * cpuMicroseconds)) / batches,
    databaseCpu: (databaseSeconds * 1e6) / batches,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function findingOf(figures: readonly Taken[][], { rounds, seconds }: MeasureOptions) {
  const rows = ['One server', 'Two servers'].map((name, index) => {
    const of = (figure: keyof Taken): number => median(figures.map((found) => found[index]?.[figure] ?? Number.NaN));
    return [
      name,
      whole(of('eventsPerSecond')),
      index === 0 ? '' : describeRatios(figures),
      whole(of('serverCpu')),
      whole(of('databaseCpu')),
    ];
  });
  return {
    title: 'Ingest by several servers',
    about:
      `Batches of ${FORM.batchSize} new events of ${FORM.shapes} known shapes of one workspace, ${CONNECTIONS} connections in all, on one PostgreSQL database; ` +
      `servers, database and load share the processors of this machine. ${rounds} rounds of ${seconds} s each, in turns; the ratio is the ` +
      'median of those of the rounds, with the least and the greatest. Goals: 12,000 events/s with one, and at least as many with two on two ' +
      'cores; 1.3 times as many where they have cores of their own.',
    tables: [
      {
        columns: ['Servers', 'events/s', 'against one', 'Server CPU µs/batch', 'Database CPU µs/batch'],
        rows,
      },
    ],
  };
}

function describeRatios(figures: readonly Taken[][]): string {
  const ratios = figures.map(
    ([one, two]) => (two?.eventsPerSecond ?? Number.NaN) / (one?.eventsPerSecond ?? Number.NaN),
  );
  return medianRatio(ratios);
}
