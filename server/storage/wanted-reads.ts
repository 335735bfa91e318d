import type { KyselyPlugin } from 'kysely';
import { requireWanted } from './holder.ts';

/** Stops database reads for a client that has left: it may have sent a thousand requests without waiting for the answers. */
export const WANTED_READS: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind === 'SelectQueryNode' || node.kind === 'RawNode') requireWanted();
    return node;
  },
  transformResult: async ({ result }) => result,
};
