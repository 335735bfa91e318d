import { contest } from '../contest.ts';
import type { BatchForm } from '../load/batch.ts';
import type { Measure, MeasureOptions, Table } from '../measure.ts';
import { whole } from '../numbers.ts';
import { resultOf } from '../programs.ts';
import { median } from '../statistics.ts';
import { makeDatabase } from '../subjects/database.ts';
import { ratioOf, scoreTable } from './create.ts';

const CONNECTIONS = 32;
const FORM = { batchSize: 30, shapes: 200 };

export const ingest: Measure = {
  name: 'ingest',
  describe: "batches of 30 events, against bare Fastify, Express and the engine's own limit",
  async run(options) {
    const tables: Table[] = [];
    for (const ids of ['timeOrdered', 'random'] as const) tables.push(await tableFor({ ...FORM, ids }, options));
    return {
      title: 'Ingest',
      about:
        `Batches of ${FORM.batchSize} new events of ${FORM.shapes} shapes with 10 properties, ${CONNECTIONS} connections; each answered batch is ` +
        "durable. The engine's limit writes the same rows in transactions of 100 batches, with prepared statements and without HTTP or JSON. " +
        'Random ids (UUID version 4) land all over an index, a page of the log each; ids in the order of time (version 7) lie side by side. ' +
        'A ratio is the median of those of the rounds, with the least and the greatest. Goals: 40,000 events/s in order, 30,000 random, 0.35 × the limit, ' +
        '600 µs of the main thread.',
      tables,
    };
  },
};

async function tableFor(form: BatchForm, options: MeasureOptions): Promise<Table> {
  const scores = await contest(
    ({ keyHeaders }) => ({
      work: { kind: 'ingest', path: '/inspector/batches/v1', ...form },
      headers: keyHeaders,
      connections: CONNECTIONS,
    }),
    options,
  );
  const table = scoreTable(
    form.ids === 'random' ? 'Random message ids' : 'Message ids in the order of time',
    scores,
    form.batchSize,
  );
  const limits = await engineLimits(form, options);
  const ours = scores.Branchline.perSecondEach.map((batches) => batches * form.batchSize);
  table.rows.push(["The engine's own limit", whole(median(limits)), '', '', '', '', ratioOf(ours, limits)]);
  return table;
}

async function engineLimits(
  { batchSize, shapes, ids }: BatchForm,
  { rounds, seconds }: MeasureOptions,
): Promise<number[]> {
  const figures: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const database = await makeDatabase();
    figures.push(
      await resultOf('bench/subjects/engine.ts', [database.file, ...[seconds, batchSize, shapes, ids].map(String)]),
    );
    database.remove();
  }
  return figures;
}
