import { contest, type Score, type SubjectName } from '../contest.ts';
import type { Measure, Table } from '../measure.ts';
import { decimals, medianRatio, whole } from '../numbers.ts';
import { WORKSPACE } from '../subjects/place.ts';

const CONNECTIONS = [1, 32];

export const create: Measure = {
  name: 'create',
  describe: 'Create Branch, against bare Fastify and Express',
  async run(options) {
    const tables: Table[] = [];
    for (const connections of CONNECTIONS) {
      const scores = await contest(
        ({ accountHeaders }) => ({
          work: { kind: 'create', path: `/workspaces/${WORKSPACE}/branches/v1` },
          headers: accountHeaders,
          connections,
        }),
        options,
      );
      tables.push(scoreTable(`${connections} ${connections === 1 ? 'connection' : 'connections'}`, scores));
    }
    return {
      title: 'Create Branch',
      about:
        'Each answered create is durable (SQLite, WAL, `synchronous=FULL`), two rows each. Branchline authenticates, validates, ' +
        'limits, counts and logs; bare Fastify only parses the JSON and inserts; Express validates against the same contract but ' +
        'looks no account up. With one connection nothing can share a transaction. A ratio is the median of those of the rounds, with the least and ' +
        'the greatest. Goals: 0.9 × Fastify with one connection, 3 × with many.',
      tables,
    };
  },
};

/** How the subjects did, and Branchline's ratio to each. */
export function scoreTable(what: string, scores: Record<SubjectName, Score>, perRequest = 1): Table {
  const { Branchline: ours } = scores;
  return {
    columns: [
      what,
      perRequest === 1 ? 'requests/s' : 'events/s',
      'p50 ms',
      'p99 ms',
      'CPU µs/request',
      'of it the main thread',
      'Branchline is',
    ],
    rows: Object.entries(scores).map(([name, score]) => [
      name,
      whole(score.perSecond * perRequest),
      decimals(score.p50),
      decimals(score.p99),
      whole(score.cpuMicroseconds),
      whole(score.mainThreadMicroseconds),
      score === ours ? '' : ratioOf(ours.perSecondEach, score.perSecondEach),
    ]),
  };
}

/** Of the rounds, which were in turns. */
export function ratioOf(ours: readonly number[], others: readonly number[]): string {
  return medianRatio(ours.map((perSecond, round) => perSecond / (others[round] ?? Number.NaN)));
}
