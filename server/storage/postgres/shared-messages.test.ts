import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Messages } from '../messages.ts';
import { openStorage } from '../open.ts';
import type { Storage } from '../storage.ts';
import { administer, newDatabase, type TestDatabase } from '../testing/databases.ts';
import { ofTest } from '../testing/statements-of-tests.ts';
import { DATABASE_NOW } from './message-reader.ts';

let database: TestDatabase;
let storage: Storage;
let messages: Messages;

beforeEach(async () => {
  database = await newDatabase();
  const name = new URL(database.location.databaseUrl ?? '').pathname.slice(1);
  await setAhead('0');
  await administer(
    database.location.databaseUrl ?? '',
    `alter database ${name} set search_path = public, pg_catalog /* a test */`,
  );
  storage = await openStorage(database.location);
  if (storage.messages === undefined) throw new Error('Its servers share no messages.');
  messages = storage.messages;
});

afterEach(async () => {
  await storage.close();
  await database.remove();
});

/** Replaces the database's clock by one that is so much ahead. */
async function setAhead(interval: string): Promise<void> {
  await administer(
    database.location.databaseUrl ?? '',
    `create or replace function public.statement_timestamp() returns timestamptz language sql stable
      as 'select pg_catalog.statement_timestamp() + interval ''${interval}''' /* a test */`,
  );
}

/** Hears what is said to a workspace. */
function hear(workspaceId: string, heard?: (text: string) => void): string[] {
  const said: string[] = [];
  const hearing = messages.hear({
    heard: (_, text) => {
      said.push(text);
      heard?.(text);
    },
    lost: (of) => void (of === workspaceId && said.push('(lost)')),
    caughtUp: () => {},
    changed: () => {},
  });
  hearing.follow([workspaceId]);
  onTestFinished(() => hearing.close());
  return said;
}

/** Stores messages that were sent so much later than now; each tells how much. */
async function storeAhead(...seconds: number[]): Promise<void> {
  const values = seconds.map((ahead) => ({
    workspace_id: 'demo',
    message_id: `ahead-${ahead}`,
    sent_at: sql<number>`${DATABASE_NOW} + ${sql.lit(ahead * 1_000)}`,
    text: String(ahead),
  }));
  await ofTest(storage).db.insertInto('live_messages').values(values).execute();
}

async function kept(): Promise<string[]> {
  const rows = await ofTest(storage).db.selectFrom('live_messages').select('text').orderBy('sent_at').execute();
  return rows.map(({ text }) => text);
}

describe('messages', () => {
  it.each([
    ['25 seconds', []],
    // They are kept for 30 seconds, which may have passed since they were looked for.
    ['1 hour', ['(lost)']],
  ])('are heard once when a clock that was %s ahead is right again', async (ahead, before) => {
    const said = hear('demo');
    const send = async (text: string, ...heard: string[]) => {
      await messages.send('demo', text);
      await expect.poll(() => said).toEqual(heard);
      // What is lost may be noticed as soon as the clock is another, before the next is sent.
      said.length = 0;
    };
    await send('before', 'before');
    await setAhead(ahead);
    await send('ahead', ...before, 'ahead');
    await setAhead('0');
    await send('right again', '(lost)', 'right again');
    await send('after', 'after');
    await setAhead(ahead);
    await send('ahead again', ...before, 'ahead again');
  });

  it('that were gone before they were read are said to be lost, before the next is heard', async () => {
    const said = hear('demo');
    await messages.send('demo', 'before');
    await expect.poll(() => said).toEqual(['before']);
    await administer(database.location.databaseUrl ?? '', 'truncate live_messages /* a test */');
    await messages.send('demo', 'after');
    await expect.poll(() => said).toEqual(['before', '(lost)', 'after']);
  });

  it('of before it was followed are not heard', async () => {
    await storeAhead(-9, -5, -2);
    const said = hear('demo');
    await messages.send('demo', 'now');
    await expect.poll(() => said).toEqual(['now']);
  });

  it('from the future are not heard', async () => {
    await storeAhead(3_600, 29, 20);
    const said = hear('demo');
    await messages.send('demo', 'now');
    await expect.poll(() => said).toEqual(['now']);
  });

  it('that nobody will hear are dropped', async () => {
    await storeAhead(-31, -10, 15, 60, 3_600);
    expect(await messages.forget()).toBe('done');
    expect(await kept()).toEqual(['-10', '15']);
  });

  it('that nobody will hear are dropped with the next that is sent', async () => {
    await storeAhead(-31, -10, 15, 60, 3_600);
    await messages.send('demo', 'now');
    expect(await kept()).toEqual(['-10', 'now', '15']);
  });

  it('of which many are found at once are heard in turns, in their order', async () => {
    const values = Array.from({ length: 60 }, (_, index) => ({
      workspace_id: 'demo',
      message_id: `long-${index}`,
      sent_at: sql<number>`${DATABASE_NOW} + ${sql.lit(index - 500)}`,
      text: `${index} `.padEnd(8_192, 'x'),
    }));
    await ofTest(storage).db.insertInto('live_messages').values(values).execute();
    // `takeTurn` asks for a microtask in each turn that it gives.
    const turns = vi.spyOn(globalThis, 'queueMicrotask');
    onTestFinished(() => turns.mockRestore());
    const inTurn = new Map<number, number>();
    const said = hear('demo', ({ length }) => {
      const turn = turns.mock.calls.length;
      inTurn.set(turn, (inTurn.get(turn) ?? 0) + length);
    });
    await expect.poll(() => said.length).toBe(60);
    expect(said.map((text) => text.trimEnd().split(' ')[0])).toEqual(values.map((_, index) => `${index}`));
    expect(Math.max(...inTurn.values())).toBeLessThanOrEqual(16_384);
  });
});
