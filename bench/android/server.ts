import { startBranchline } from '../subjects/branchline.ts';
import { makeDatabase } from '../subjects/database.ts';
import { WORKSPACE } from '../subjects/place.ts';

/** A server of its own for what tracks. */
export interface BenchServer {
  origin: string;
  apiKey: string;
  /** How many events of a name it has counted. */
  countOf: (eventName: string) => Promise<number>;
  stop: () => Promise<void>;
}

export async function startServer(): Promise<BenchServer> {
  const database = await makeDatabase();
  const { origin, stop } = await startBranchline(database, database);
  return {
    origin,
    apiKey: database.keyHeaders['api-key'] ?? '',
    countOf: async (eventName) => {
      const path = `/workspaces/${WORKSPACE}/inspector/shapes/v1?eventName=${encodeURIComponent(eventName)}`;
      const response = await fetch(`${origin}${path}`, { headers: database.accountHeaders });
      const page = (await response.json()) as { shapes: { count: number }[] };
      return page.shapes.reduce((sum, { count }) => sum + count, 0);
    },
    stop: async () => {
      await stop();
      database.remove();
    },
  };
}
