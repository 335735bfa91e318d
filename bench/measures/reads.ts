import { isDeepStrictEqual } from 'node:util';
import { type Score, scoreOf } from '../contest.ts';
import { type Measured, measureLoad } from '../load/run.ts';
import type { Measure, MeasureOptions } from '../measure.ts';
import { decimals, medianRatio, whole } from '../numbers.ts';
import { median } from '../statistics.ts';
import { NODE_OPTIONS, startBranchline } from '../subjects/branchline.ts';
import { type BenchDatabase, makeDatabase } from '../subjects/database.ts';
import { SOURCE, WORKSPACE } from '../subjects/place.ts';
import { seedBranches, seedObservations } from '../subjects/seed.ts';
import { type RunningSubject, startProgram } from '../subjects/subject.ts';

const CONNECTIONS = 8;
const ROWS = 10_000;

/** Of the processor time of the hand-written routes. */
const GOAL = 1.3;

/** So that both write the same URLs. */
const WEB_HOST = 'web.example';

const BRANCHES = `/workspaces/${WORKSPACE}/branches`;
const INSPECTOR = `/workspaces/${WORKSPACE}/inspector`;
const FILTER = `source=${SOURCE}&environment=prod`;

/** Two servers over the same file. */
interface Subjects {
  ours: RunningSubject;
  byHand: RunningSubject;
  headers: Record<string, string>;
}

/** One load of each, one right after the other. */
interface Round {
  ours: Measured;
  byHand: Measured;
}

export const reads: Measure = {
  name: 'reads',
  describe: 'lists, one branch and reports, against routes of Fastify written by hand',
  async run(options) {
    const database = await makeDatabase();
    seedBranches(database.file, ROWS);
    seedObservations(database.file, ROWS);
    const subjects = await start(database);
    const rows: string[][] = [];
    try {
      for (const [operation, path] of Object.entries(await pathsOf(subjects))) {
        await requireSameAnswer(subjects, path);
        rows.push(...rowsOf(operation, await measureInTurns(subjects, path, options)));
      }
    } finally {
      await subjects.ours.stop();
      await subjects.byHand.stop();
      database.remove();
    }
    return {
      title: 'Lists, one branch, reports',
      about:
        `Over ${whole(ROWS)} branches, observed events and shapes (SQLite), ${CONNECTIONS} connections; a page has as many entries as it has by default. ` +
        'By hand is Fastify with a prepared statement for each route, which checks requests and writes answers by the contract’s own schemas; before ' +
        'they are measured both gave the same answers, but for their cursors. It does nothing else: no authentication, rate limits, metrics, log or ' +
        'security headers, no turns and bounds that keep workspaces from each other, and no filters but those that are sent. All of these count ' +
        `for Branchline, whose processor time is to be at most ${GOAL} × its. A ratio is the median of those of the rounds, with the least and the greatest.`,
      tables: [
        {
          columns: [
            'Operation',
            'Server',
            'requests/s',
            'p50 ms',
            'p99 ms',
            'CPU µs/request',
            'Branchline’s CPU is',
            `Goal: ${GOAL} ×`,
          ],
          rows,
        },
      ],
    };
  },
};

async function start(database: BenchDatabase): Promise<Subjects> {
  const { file, folder, accountHeaders: headers } = database;
  return {
    ours: await startBranchline(database, database, { BRANCHLINE_WEB_HOST: WEB_HOST }),
    byHand: await startProgram('bench/subjects/reads-by-hand.ts', [file, WEB_HOST], folder, NODE_OPTIONS),
    headers,
  };
}

/** By operation. */
async function pathsOf({ byHand, headers }: Subjects): Promise<Record<string, string>> {
  const list = `${BRANCHES}/v1`;
  const { branches } = (await answerOf(byHand, list, headers)) as { branches: { branchId: string }[] };
  return {
    'List Branches': list,
    'Get Branch': `${BRANCHES}/${branches.at(-1)?.branchId}/v1`,
    'List Observed Events': `${INSPECTOR}/events/v1?${FILTER}`,
    'List Observed Shapes': `${INSPECTOR}/shapes/v1?${FILTER}`,
  };
}

/** A server that answers with less would be faster for it. */
async function requireSameAnswer({ ours, byHand, headers }: Subjects, path: string): Promise<void> {
  const [mine, theirs] = [await answerOf(ours, path, headers), await answerOf(byHand, path, headers)];
  if (!isDeepStrictEqual(mine, theirs))
    throw new Error(`The two answer ${path} differently:\n${JSON.stringify(mine)}\n${JSON.stringify(theirs)}`);
}

/** Each writes cursors in a way of its own. */
async function answerOf({ origin }: RunningSubject, path: string, headers: Record<string, string>): Promise<unknown> {
  const response = await fetch(origin + path, { headers });
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return JSON.parse(await response.text(), (key, value: unknown) =>
    key === 'nextCursor' && typeof value === 'string' ? 'a cursor' : value,
  );
}

async function measureInTurns(
  { ours, byHand, headers }: Subjects,
  path: string,
  { rounds, seconds }: MeasureOptions,
): Promise<Round[]> {
  const measured: Round[] = [];
  const measure = (subject: RunningSubject): Promise<Measured> =>
    measureLoad(subject, { work: { kind: 'read', path }, headers, connections: CONNECTIONS, seconds });
  for (let round = 0; round <= rounds; round += 1) {
    const one = { ours: await measure(ours), byHand: await measure(byHand) };
    // The first only warms up.
    if (round > 0) measured.push(one);
  }
  return measured;
}

function rowsOf(operation: string, rounds: readonly Round[]): string[][] {
  const ratios = rounds.map(({ ours, byHand }) => ours.cpuMicroseconds / byHand.cpuMicroseconds);
  return [
    [
      operation,
      'Branchline',
      ...cellsOf(scoreOf(rounds.map(({ ours }) => ours))),
      medianRatio(ratios),
      median(ratios) <= GOAL ? 'met' : 'missed',
    ],
    ['', 'by hand', ...cellsOf(scoreOf(rounds.map(({ byHand }) => byHand))), '', ''],
  ];
}

function cellsOf({ perSecond, p50, p99, cpuMicroseconds }: Score): string[] {
  return [whole(perSecond), decimals(p50), decimals(p99), whole(cpuMicroseconds)];
}
