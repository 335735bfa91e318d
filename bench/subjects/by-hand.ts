import { uuidBytes } from '../../server/inspector/ingest/uuids.ts';
import { MESSAGE_TABLE, SOURCE_NUMBER } from './place.ts';
import { hash, randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { components } from '../../server/generated/types.ts';

/** A batch whose events nobody has checked. */
export interface Batch extends Omit<components['schemas']['Batch'], 'events'> {
  events: components['schemas']['EventReport'][];
}

/** What a hand-written service does with the same tables: one durable transaction a request, prepared statements. */
export interface ByHand {
  createBranch(
    workspaceId: string,
    name: string,
  ): { branchId: string; branchName: string; branchUrl: string } | undefined;
  ingest(workspaceId: string, source: string, batch: Batch): { accepted: number; duplicates: number };
}

/** @param file a database that Branchline has migrated */
export function byHand(file: string): ByHand {
  const database = openAsBranchlineDoes(file);
  const begin = database.prepare('begin immediate');
  const commit = database.prepare('commit');
  const rollback = database.prepare('rollback');
  const createBranch = branchCreator(database);
  const ingest = ingester(database);
  const inTransaction = <Result>(work: () => Result): Result => {
    begin.run();
    try {
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      rollback.run();
      throw error;
    }
  };
  return {
    createBranch: (...parameters) => inTransaction(() => createBranch(...parameters)),
    ingest: (...parameters) => inTransaction(() => ingest(...parameters)),
  };
}

/** With the same pragmas, so with the same durability. */
export function openAsBranchlineDoes(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  database.exec('pragma cache_size = -65536; pragma wal_autocheckpoint = 16000');
  return database;
}

function branchCreator(database: DatabaseSync): ByHand['createBranch'] {
  const insertBranch = database.prepare(
    `insert into branches values (?, ?, ?, 'Draft', 'account', 'ci@example.com', ?, '[]', null, null, null, null, null, 1)
     on conflict (workspace_id, name) where status in ('Draft', 'ReadyForReview', 'Approved') do nothing`,
  );
  const insertEvent = database.prepare(
    `insert into branch_events values (?, ?, 1, 'created', ?, 'account', 'ci@example.com', ?)`,
  );
  return (workspaceId, name) => {
    const branchId = randomUUID();
    const now = Date.now();
    if (insertBranch.run(workspaceId, branchId, name, now).changes === 0) return undefined;
    insertEvent.run(workspaceId, branchId, now, JSON.stringify({ name }));
    const branchUrl = `https://web.example/schemas/${workspaceId}/branches/${branchId}`;
    return { branchId, branchName: name, branchUrl };
  };
}

function ingester(database: DatabaseSync): ByHand['ingest'] {
  const insertBatch = database.prepare('insert into seen_batches values (?, ?, ?, ?, ?) on conflict do nothing');
  const insertMessage = database.prepare(`insert into ${MESSAGE_TABLE} values (?, ?, ?) on conflict do nothing`);
  const counting =
    'do update set count = count + 1, first_seen = min(first_seen, excluded.first_seen), last_seen = max(last_seen, excluded.last_seen)';
  const countShape = database.prepare(
    `insert into observed_shapes values (?, ?, ?, ?, ?, ?, ?, 1, ?, ?)
     on conflict (workspace_id, event_key, source, app_version, environment, shape_id) ${counting}`,
  );
  const countEvent = database.prepare(
    `insert into observed_events values (?, ?, ?, ?, ?, ?, 1, 1, ?, ?)
     on conflict (workspace_id, event_key, source, app_version, environment) ${counting}`,
  );
  return (workspaceId, source, { batchId, app, environment, events }) => {
    const now = Date.now();
    const place = [source, app.version, environment] as const;
    let duplicates = 0;
    for (const { messageId, eventName, schema = [] } of events) {
      if (insertMessage.run(workspaceId, SOURCE_NUMBER, uuidBytes(messageId)).changes === 0) {
        duplicates += 1;
        continue;
      }
      const text = JSON.stringify(schema.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
      const shapeId = hash('sha256', `${eventName}\n${text}`, 'base64url');
      countShape.run(workspaceId, eventName, ...place, shapeId, eventName, now, now);
      countEvent.run(workspaceId, eventName, ...place, eventName, now, now);
    }
    const digest = hash('sha256', JSON.stringify(events), 'buffer');
    insertBatch.run(workspaceId, SOURCE_NUMBER, uuidBytes(batchId), digest, now);
    return { accepted: events.length - duplicates, duplicates };
  };
}
