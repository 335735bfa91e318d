import { actingOf } from '../accounts/acting.ts';
import type { Authenticated } from '../accounts/principals.ts';
import type { Handlers } from '../generated/handlers.ts';
import { BAD_CURSOR } from '../http/cursor.ts';
import type { Storage } from '../storage/storage.ts';
import { typeConflicts } from './conflict-report.ts';
import type { Budget } from './budget.ts';
import { inspectorBudget } from './budget-report.ts';
import type { BatchReceipt, Ingest } from './ingest.ts';
import { observedEvents, observedShapes } from './reports.ts';

export interface InspectorDependencies {
  storage: Storage;
  ingest: Ingest;
  /** What a workspace may be brought that is new. */
  budget: Budget;
  /** Told of each receipt that is given. */
  countReceipt: (receipt: BatchReceipt) => void;
}

type Operation =
  'ingestBatch' | 'listObservedEvents' | 'listObservedShapes' | 'listTypeConflicts' | 'getInspectorBudget';

/** What the Inspector library sends, and the reports of what was observed. */
export function inspectorHandlers({
  storage,
  ingest,
  budget,
  countReceipt,
}: InspectorDependencies): Pick<Handlers<Authenticated>, Operation> {
  return {
    async ingestBatch({ body, principals: { apiKey } }) {
      const receipt = await ingest.take(apiKey, body);
      countReceipt(receipt);
      return { status: 200, body: receipt };
    },

    async listObservedEvents({ query, principals }) {
      const page = await observedEvents(storage, actingOf(principals).workspaceId, query);
      if (page === undefined) return badCursor;
      return { status: 200, body: { events: page.entries, nextCursor: page.nextCursor } };
    },

    async listObservedShapes({ query, principals }) {
      const page = await observedShapes(storage, actingOf(principals).workspaceId, query);
      if (page === undefined) return badCursor;
      return { status: 200, body: { shapes: page.entries, nextCursor: page.nextCursor } };
    },

    async listTypeConflicts({ query, principals }) {
      const page = await typeConflicts(storage, actingOf(principals).workspaceId, query);
      if (page === undefined) return badCursor;
      return { status: 200, body: { conflicts: page.entries, nextCursor: page.nextCursor } };
    },

    async getInspectorBudget({ principals }) {
      return { status: 200, body: await inspectorBudget(storage, actingOf(principals).workspaceId, budget) };
    },
  };
}

const badCursor = { status: 400 as const, body: { error: BAD_CURSOR } };
