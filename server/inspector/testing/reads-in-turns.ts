import type { DatabaseConnection } from 'kysely';
import { vi } from 'vitest';
import type { Storage } from '../../storage/storage.ts';

/** What was read in one turn. */
export interface TurnReads {
  rows: number;
  /** Of the rows as JSON. */
  characters: number;
}

/** Counts what `work` reads in each of its turns. */
export async function readsInTurns({ db }: Storage, work: () => Promise<unknown>): Promise<readonly TurnReads[]> {
  const turns: TurnReads[] = [{ rows: 0, characters: 0 }];
  // `takeTurn` asks for a microtask in each turn that it gives, to measure how long that takes; no other reading does.
  const queue = globalThis.queueMicrotask;
  const turn = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) => {
    turns.push({ rows: 0, characters: 0 });
    queue(task);
  });
  const executor = db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  const read = vi
    .spyOn(executor, 'provideConnection')
    .mockImplementation((consume) => provide((connection) => consume(countReads(connection, turns))));
  try {
    await work();
  } finally {
    read.mockRestore();
    turn.mockRestore();
  }
  return turns;
}

function countReads(connection: DatabaseConnection, turns: readonly TurnReads[]): DatabaseConnection {
  return {
    executeQuery: async <Row>(query: Parameters<DatabaseConnection['executeQuery']>[0]) => {
      const result = await connection.executeQuery<Row>(query);
      const turn = turns.at(-1);
      if (turn !== undefined) {
        turn.rows += result.rows.length;
        turn.characters += JSON.stringify(result.rows).length;
      }
      return result;
    },
    streamQuery: (query, size) => connection.streamQuery(query, size),
  };
}
