import { resultOf } from '../programs.ts';
import type { Downloaded } from '../load/download.ts';
import type { Measure, MeasureOptions, Table } from '../measure.ts';
import { decimals, mebibytes, medianWhole, whole } from '../numbers.ts';
import { forgetPeak, residentMemory } from '../process-figures.ts';
import { median } from '../statistics.ts';
import { startBranchline } from '../subjects/branchline.ts';
import { type BenchDatabase, makeDatabase } from '../subjects/database.ts';
import { WORKSPACE } from '../subjects/place.ts';
import { copyTexts, makePostgres, type Postgres } from '../subjects/postgres.ts';
import { seedBranches } from '../subjects/seed.ts';
import type { RunningSubject } from '../subjects/subject.ts';

/** Rows a second, and by how many bytes the server grew meanwhile. */
interface Export {
  perSecond: number;
  /** Of each round. */
  perSecondEach: readonly number[];
  growth: number;
}

export const exportRows: Measure = {
  name: 'export',
  describe: "the CSV of 1,000,000 branches from both engines, against PostgreSQL's COPY",
  async run(options) {
    const rows = options.quick ? 100_000 : 1_000_000;
    const ours = [{ engine: 'SQLite', ...(await exportFromSqlite(rows, options)) }];
    const postgres = await makePostgres();
    const copies: { what: string; perSecond: number }[] = [];
    await postgres.seedBranches(rows);
    ours.push({ engine: 'PostgreSQL', ...(await exportFromPostgres(postgres, rows, options)) });
    for (const [what, query] of Object.entries(copyTexts)) {
      copies.push({ what, perSecond: await copyRate(postgres, query, rows, options) });
    }
    await postgres.remove();
    return {
      title: `Export of ${whole(rows)} branches`,
      about:
        'Over HTTP to another process, one export at a time. COPY writes the same rows in the same order from PostgreSQL 18 to another process: once ' +
        'with the very same bytes, and once as they are stored, with numbers for times, which leaves out most of the work. Memory is what ' +
        'the server grew by at its peak, against before the export. Rows are the median, with the least and the most. Goals: 0.8 × COPY as ' +
        'stored on SQLite, 0.6 × on PostgreSQL.',
      tables: [tableOf(ours, copies)],
    };
  },
};

function tableOf(
  ours: readonly (Export & { engine: string })[],
  copies: readonly { what: string; perSecond: number }[],
): Table {
  return {
    columns: ['', 'rows/s', ...copies.map(({ what }) => `against COPY, ${what}`), 'Memory grew by'],
    rows: [
      ...ours.map(({ engine, perSecond, perSecondEach, growth }) => [
        `Branchline on ${engine}`,
        medianWhole(perSecondEach),
        ...copies.map((copy) => `${decimals(perSecond / copy.perSecond)} ×`),
        mebibytes(growth),
      ]),
      ...copies.map(({ what, perSecond }) => [`COPY, ${what}`, whole(perSecond), ...copies.map(() => ''), '']),
    ],
  };
}

async function exportFromSqlite(rows: number, options: MeasureOptions): Promise<Export> {
  const database = await makeDatabase();
  seedBranches(database.file, rows);
  const server = await startBranchline(database, database);
  const result = await exportOften(server, database.accountHeaders, rows, options);
  await server.stop();
  database.remove();
  return result;
}

async function exportFromPostgres({ url, client }: Postgres, rows: number, options: MeasureOptions): Promise<Export> {
  const server = await startBranchline(client, { url });
  const result = await exportOften(server, client.accountHeaders, rows, options);
  await server.stop();
  return result;
}

async function exportOften(
  { origin, pid }: RunningSubject,
  headers: BenchDatabase['accountHeaders'],
  rows: number,
  { rounds }: MeasureOptions,
): Promise<Export> {
  const exports: Pick<Export, 'perSecond' | 'growth'>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = residentMemory(pid).now;
    forgetPeak(pid);
    const { lines, seconds } = await resultOf<Downloaded>('bench/load/download.ts', [
      origin,
      `/workspaces/${WORKSPACE}/branches/export/v1`,
      JSON.stringify(headers),
    ]);
    if (lines !== rows + 1) throw new Error(`The export had ${lines} lines instead of ${rows + 1}.`);
    exports.push({ perSecond: rows / seconds, growth: residentMemory(pid).peak - before });
  }
  // The first export finds the process small, so it is the one that shows how much memory one takes.
  const perSecondEach = exports.map(({ perSecond }) => perSecond);
  return { perSecond: median(perSecondEach), perSecondEach, growth: exports[0]?.growth ?? Number.NaN };
}

async function copyRate({ url }: Postgres, query: string, rows: number, { rounds }: MeasureOptions): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { lines, seconds } = await resultOf<Downloaded>('bench/load/copy.ts', [url, query]);
    if (lines !== rows) throw new Error(`COPY wrote ${lines} lines instead of ${rows}.`);
    rates.push(rows / seconds);
  }
  return median(rates);
}
