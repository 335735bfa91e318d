import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { v7 } from 'uuid';
import { openAsBranchlineDoes } from './by-hand.ts';
import { MESSAGE_TABLE, SOURCE, SOURCE_NUMBER, WORKSPACE } from './place.ts';

const ROWS_PER_TRANSACTION = 50_000;
const FIRST_TIME = Date.UTC(2025, 0, 1);

/** Fills a database with branches that have everything that can happen to one. */
export function seedBranches(file: string, count: number): void {
  withDatabase(file, (database) => {
    const insertBranch = database.prepare('insert into branches values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 6)');
    const insertEvent = database.prepare(
      `insert into branch_events values (?, ?, 1, 'created', ?, 'account', 'ci@example.com', '{}')`,
    );
    inTransactions(database, count, (index) => {
      const branch = exampleBranch(index);
      insertBranch.run(...branch);
      insertEvent.run(WORKSPACE, branch[1], FIRST_TIME + index);
    });
  });
}

/** The values of a row of `branches`, all but its last column. */
export type BranchValues = readonly [
  workspace: string,
  id: string,
  name: string,
  status: string,
  creatorId: string,
  creatorEmail: string,
  createdAt: number,
  collaborators: string,
  publishedAt: number,
  readyAt: number,
  readyEmail: string,
  mergedAt: number | null,
  mergedEmail: string | null,
];

export function exampleBranch(index: number): BranchValues {
  const at = FIRST_TIME + index;
  const merged = index % 2 === 0;
  return [
    WORKSPACE,
    v7({ msecs: at }),
    `branch-number-${index}`,
    merged ? 'Merged' : 'Approved',
    'account',
    'ci@example.com',
    at,
    '["ada@example.com","grace@example.com"]',
    at + 1_000,
    at + 2_000,
    'reviewer@example.com',
    merged ? at + 3_000 : null,
    merged ? 'merger@example.com' : null,
  ];
}

/** Fills a database with messages that were seen, and as many observed events and shapes. */
export function seedObservations(file: string, count: number): void {
  withDatabase(file, (database) => {
    const insertMessage = database.prepare(`insert into ${MESSAGE_TABLE} values (?, ?, ?)`);
    const insertEvent = database.prepare('insert into observed_events values (?, ?, ?, ?, ?, ?, 1, 1, ?, ?)');
    const insertShape = database.prepare('insert into observed_shapes values (?, ?, ?, ?, ?, ?, ?, 1, ?, ?)');
    const insertSchema = database.prepare("insert into shapes values (?, ?, ?, '[]')");
    const insertSource = database.prepare(
      "insert into source_shapes (workspace_id, event_key, shape_id, source, environment) values (?, ?, ?, ?, 'prod')",
    );
    database
      .prepare('insert into sources values (?, ?, ?) on conflict do nothing')
      .run(WORKSPACE, SOURCE, SOURCE_NUMBER);
    inTransactions(database, count, (index) => {
      const at = FIRST_TIME + index;
      const name = `Seeded ${index}`;
      const place = [SOURCE, '1.0.0', 'prod'] as const;
      insertMessage.run(WORKSPACE, SOURCE_NUMBER, randomBytes(16));
      insertEvent.run(WORKSPACE, name, ...place, name, at, at);
      insertShape.run(WORKSPACE, name, ...place, `shape-${index}`, name, at, at);
      insertSchema.run(WORKSPACE, name, `shape-${index}`);
      insertSource.run(WORKSPACE, name, `shape-${index}`, SOURCE);
    });
  });
}

function withDatabase(file: string, work: (database: DatabaseSync) => void): void {
  const database = openAsBranchlineDoes(file);
  work(database);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

function inTransactions(database: DatabaseSync, count: number, insert: (index: number) => void): void {
  for (let start = 0; start < count; start += ROWS_PER_TRANSACTION) {
    database.exec('begin');
    for (let index = start; index < Math.min(count, start + ROWS_PER_TRANSACTION); index += 1) insert(index);
    database.exec('commit');
  }
}
