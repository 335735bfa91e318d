import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { openAsBranchlineDoes } from '../subjects/by-hand.ts';
import type { FilledTable, Value } from './filled-table.ts';

const ROWS_PER_TRANSACTION = 50_000;

/** How many lines COPY is given at a time. */
const LINES_AT_A_TIME = 1_000;

/** Fills tables that a server has made, before it starts. */
export function fillSqlite(file: string, tables: readonly FilledTable[]): void {
  const database = openAsBranchlineDoes(file);
  // Whoever loses the power loads again.
  database.exec('pragma synchronous = off; pragma cache_size = -524288');
  for (const { name, columns, rows } of tables) {
    const places = columns.map(() => '?').join();
    const insert = database.prepare(`insert into ${name} (${columns.join()}) values (${places})`);
    database.exec('begin');
    let written = 0;
    for (const row of rows()) {
      insert.run(...row);
      written += 1;
      if (written % ROWS_PER_TRANSACTION === 0) database.exec('commit; begin');
    }
    database.exec('commit');
  }
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

/** The same by COPY, after which the planner knows what there is. */
export async function fillPostgres(url: string, tables: readonly FilledTable[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const { name, columns, rows } of tables) {
    const copy = client.query(copyFrom(`copy ${name} (${columns.join()}) from stdin`));
    await pipeline(Readable.from(copyChunks(rows())), copy);
    await client.query(`vacuum analyze ${name}`);
  }
  await client.end();
}

function* copyChunks(rows: Iterable<readonly Value[]>): Iterable<string> {
  let lines: string[] = [];
  for (const row of rows) {
    lines.push(`${row.map(copyText).join('\t')}\n`);
    if (lines.length < LINES_AT_A_TIME) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

/** The text format of COPY. */
function copyText(value: Value): string {
  if (value === null) return String.raw`\N`;
  if (typeof value === 'number') return String(value);
  return value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll('\n', String.raw`\n`);
}
