import { checkoutsOf } from '../isolation/checkouts.ts';
import { type Engine, startPostgres, startSqlite } from '../isolation/engines.ts';
import { type Installation, install } from '../isolation/installation.ts';
import { INGEST_PATH } from '../isolation/tenants.ts';
import { measureLoad } from '../load/run.ts';
import type { Measure, MeasureOptions } from '../measure.ts';
import { medianRatio, whole } from '../numbers.ts';
import { median } from '../statistics.ts';

const FORM = { batchSize: 30, shapes: 200, ids: 'timeOrdered' } as const;

/** As fast as the server takes them, and one after the other, where no transaction is shared. */
const CONNECTIONS = [32, 1] as const;

/** Far away: what is measured is the server, not its limits. */
const UNLIMITED = ['--ingest-rate-limit', '100000'];

const WARM_UP_SECONDS = 2;

/** What a server took in one load. */
interface Cost {
  perSecond: number;
  /** Microseconds of a batch: the server's, and those of the engine's own processes; undefined where it has none. */
  cpu: number;
  databaseCpu: number | undefined;
}

/** The present code and the other checkout, measured one right after the other. */
interface Pair {
  present: Cost;
  other: Cost;
}

export const ingestCost: Measure = {
  name: 'ingest-cost',
  describe: 'what a batch costs against another checkout, in pairs, on both engines; takes --against',
  takesAnother: true,
  async run(options) {
    const [present, other] = await checkoutsOf(options.against);
    if (present === undefined || other === undefined) throw new Error('There is no other checkout to measure.');
    const rows: string[][] = [];
    for (const startEngine of [startSqlite, startPostgres]) {
      const engine = await startEngine();
      try {
        const installed = [await install(present, engine, UNLIMITED), await install(other, engine, UNLIMITED)] as const;
        for (const connections of CONNECTIONS) {
          rows.push(rowOf(engine, connections, await pairsOf(installed, connections, options)));
        }
        for (const { remove } of installed) await remove();
      } finally {
        await engine.remove();
      }
    }
    return {
      title: 'Cost of ingest, against before',
      about:
        `Batches of ${FORM.batchSize} new events of ${FORM.shapes} known shapes with 10 properties: the present code against ${other.name}, each with a ` +
        `database of its own. ${options.rounds} pairs of loads of ${options.seconds} s, one right after the other, each checkout the ` +
        'first in every second pair. A ratio is the median of those of the pairs, with the least and the greatest; above 1 is faster for batches/s, and ' +
        'dearer for processor time, of which that of PostgreSQL’s own processes is added.',
      tables: [
        {
          columns: [
            'Engine',
            'Connections',
            'batches/s',
            `batches/s, ${other.name}`,
            'batches/s, ratio',
            'CPU µs/batch',
            `CPU µs/batch, ${other.name}`,
            'CPU, ratio',
          ],
          rows,
        },
      ],
    };
  },
};

async function pairsOf(
  [present, other]: readonly [Installation, Installation],
  connections: number,
  { rounds, seconds }: MeasureOptions,
): Promise<Pair[]> {
  for (const one of [present, other]) await costOf(one, connections, Math.min(seconds, WARM_UP_SECONDS));
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? [present, other] : [other, present];
    const costs = new Map<Installation, Cost>();
    for (const one of order) costs.set(one, await costOf(one, connections, seconds));
    const [mine, theirs] = [costs.get(present), costs.get(other)];
    if (mine !== undefined && theirs !== undefined) pairs.push({ present: mine, other: theirs });
  }
  return pairs;
}

async function costOf({ server, database, victim }: Installation, connections: number, seconds: number): Promise<Cost> {
  const before = database.cpuSeconds();
  const { perSecond, cpuMicroseconds, requests } = await measureLoad(server, {
    work: { kind: 'ingest', path: INGEST_PATH, ...FORM },
    headers: victim.app,
    connections,
    seconds,
  });
  const databaseCpu = before === undefined ? undefined : (((database.cpuSeconds() ?? 0) - before) * 1e6) / requests;
  return { perSecond, cpu: cpuMicroseconds, databaseCpu };
}

function rowOf({ name }: Engine, connections: number, pairs: readonly Pair[]): string[] {
  const batches = (cost: Cost): number => cost.perSecond;
  const cpu = ({ cpu: own, databaseCpu = 0 }: Cost): number => own + databaseCpu;
  return [name, String(connections), ...cellsOf(pairs, batches), ...cellsOf(pairs, cpu)];
}

/** Both medians, and the ratio of the pairs. */
function cellsOf(pairs: readonly Pair[], figure: (cost: Cost) => number): string[] {
  return [
    whole(median(pairs.map(({ present }) => figure(present)))),
    whole(median(pairs.map(({ other }) => figure(other)))),
    medianRatio(pairs.map(({ present, other }) => figure(present) / figure(other))),
  ];
}
