import type { CompiledQuery } from 'kysely';
import type { Storage } from '../../storage/storage.ts';

/** What is sent while the work is done. */
export async function captureQueries(
  storage: Storage,
  work: (storage: Storage) => Promise<void>,
): Promise<CompiledQuery[]> {
  const sent = new Map<string, CompiledQuery>();
  const db = storage.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => result,
  });
  const executor = db.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  executor.executeQuery = (query, ...rest) => {
    sent.set(JSON.stringify([query.sql, query.parameters]), query);
    return execute(query, ...rest);
  };
  await work({ ...storage, db });
  return [...sent.values()];
}
