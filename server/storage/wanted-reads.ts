import type { KyselyPlugin } from 'kysely';
import { requireWanted } from './holder.ts';

/** Asks the database nothing for a client that has gone: it may have asked a thousand times, and waits for none of the answers. */
export const WANTED_READS: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind === 'SelectQueryNode' || node.kind === 'RawNode') requireWanted();
    return node;
  },
  transformResult: async ({ result }) => result,
};
