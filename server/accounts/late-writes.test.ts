// @module-tag both-engines
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SLOT_TABLES } from '../inspector/ingest/message-slots.ts';
import { openStorage } from '../storage/open.ts';
import type { Storage } from '../storage/storage.ts';
import { WORKSPACE_TABLES, type WorkspaceTable } from '../storage/tables.ts';
import { newDatabase, type TestDatabase } from '../storage/testing/databases.ts';
import { ofTest } from '../storage/testing/statements-of-tests.ts';
import { type FilledWorkspace, fillWorkspace } from './testing/filled-workspace.ts';
import { refusalOf, type Writer, WRITERS } from './testing/late-writers.ts';
import { emptyingWorkspaces, endWorkspace } from './workspace-end.ts';

/** Writers that have found the workspace alive, whose transaction comes when it has just ended. */

const HOUR_MS = 3_600_000;

let database: TestDatabase;
let storage: Storage;
let now = 1_000;

beforeAll(async () => {
  database = await newDatabase();
  storage = await openStorage(database.location);
});
afterAll(async () => {
  await storage.close();
  await database.remove();
});

/** A filled workspace, and how to have something happen to it before each transaction from then on. */
async function fill(workspaceId: string) {
  let before = async (): Promise<unknown> => undefined;
  const watched: Storage = {
    ...storage,
    write: async (work) => {
      await before();
      return storage.write(work);
    },
  };
  const workspace = await fillWorkspace(watched, workspaceId, () => now);
  return { workspace, beforeWrites: (then: typeof before) => (before = then) };
}

/** All rows of a workspace, each with the table that it is of. */
async function rowsOf(workspaceId: string): Promise<{ table: WorkspaceTable; row: string }[]> {
  const { db } = ofTest(storage);
  const found = WORKSPACE_TABLES.map(async (table) => {
    const rows = await sql<object>`select * from ${sql.table(table)} where workspace_id = ${workspaceId}`.execute(db);
    return rows.rows.map((row) => ({ table, row: `${table} ${JSON.stringify(row)}` }));
  });
  return (await Promise.all(found)).flat();
}

/** What a writer answers or throws, the rows that it adds or changes, and how many were there that are there no more. */
async function writtenBy({ first, write }: Writer, workspace: FilledWorkspace, beforehand = () => {}) {
  await first?.(workspace);
  const before = new Set((await rowsOf(workspace.workspaceId)).map(({ row }) => row));
  beforehand();
  const answer = await write(workspace).catch((error: unknown) => error);
  const after = await rowsOf(workspace.workspaceId);
  const gone = before.difference(new Set(after.map(({ row }) => row))).size;
  return { answer, gone, rows: after.filter(({ row }) => !before.has(row)) };
}

describe('what a workspace writes that ends meanwhile', () => {
  /** The tables that some writer writes to. */
  const tables = new Set<WorkspaceTable>();

  it.each(WRITERS.map((writer, at) => [writer.name, writer, at] as const))(
    'is refused, and leaves no row: %s',
    async (_name, writer, at) => {
      const living = await fill(`living-${at}`);
      const { answer, rows, gone } = await writtenBy(writer, living.workspace);
      expect(answer).not.toBeInstanceOf(Error);
      expect(rows.length + gone).toBeGreaterThan(0);
      for (const { table } of rows) tables.add(table);

      const ending = await fill(`ending-${at}`);
      const { workspaceId } = ending.workspace;
      let ended = 0;
      const late = await writtenBy(writer, ending.workspace, () =>
        ending.beforeWrites(async () => {
          ended += 1;
          await endWorkspace(storage, workspaceId, 4);
        }),
      );
      expect(ended).toBeGreaterThan(0);
      expect(late.rows).toEqual([]);
      expect(late.answer).toEqual(refusalOf(writer));
    },
  );

  it('is tried for each table', () => {
    const untried = WORKSPACE_TABLES.filter((table) => !tables.has(table));
    // The events of the test were observed within the span of one table.
    expect(untried).toEqual(SLOT_TABLES.filter((table) => !tables.has(table)));
    expect(untried.length).toBeLessThan(SLOT_TABLES.length);
  });
});

it('the last use of a session, which needs no lock of the workspace, leaves no row where it is emptied meanwhile', async () => {
  const touch: Writer = {
    name: '',
    write: ({ sessions, session }) => sessions.find(session.workspaceId, session.sessionHash),
  };
  const [living, ending] = [await fill('living'), await fill('ending')];
  now += 2 * HOUR_MS;
  const { rows } = await writtenBy(touch, living.workspace);
  expect(rows.map(({ table }) => table)).toEqual(['sessions']);
  const { answer } = await writtenBy(touch, ending.workspace, () =>
    ending.beforeWrites(async () => {
      await endWorkspace(storage, 'ending', 4);
      await Array.fromAsync(emptyingWorkspaces(storage, () => 5).steps());
    }),
  );
  expect(answer).toEqual(ending.workspace.session);
  expect(await rowsOf('ending')).toEqual([]);
});
