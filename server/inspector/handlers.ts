import { resetConnection } from '@branchline/runtime';
import { resolveActingAccount } from '../accounts/acting-account.ts';
import type { CredentialUse } from '../accounts/credential-use.ts';
import type { Authenticated } from '../accounts/principals.ts';
import type { Handlers } from '../generated/handlers.ts';
import { BAD_CURSOR } from '../http/cursor.ts';
import type { Clock } from '../clock.ts';
import type { Storage } from '../storage/storage.ts';
import { typeConflicts } from './reports/conflict-report.ts';
import type { Budget } from './budget.ts';
import { inspectorBudget } from './reports/budget-report.ts';
import { eventProperties } from './reports/event-properties.ts';
import { eventSummaries } from './reports/event-summaries.ts';
import { eventVolume } from './reports/event-volume.ts';
import { type BatchReceipt, countUnknown, type Ingest } from './ingest/ingest.ts';
import type { LiveBatches } from './live/live-batches.ts';
import { changeIssueState } from './issues/change-state.ts';
import { listIssues } from './issues/list.ts';
import { hasUnchecked } from './issues/look-for-issues.ts';
import { observedEvents, observedShapes } from './reports/observations-report.ts';

export interface InspectorDependencies {
  storage: Storage;
  clock: Clock;
  ingest: Ingest;
  live: LiveBatches;
  /** The workspaces' budget for new data. */
  budget: Budget;
  credentialUse: Pick<CredentialUse, 'countBatch'>;
  /** Called with each receipt, and how many events have a shape that the workspace does not know. */
  countReceipt: (receipt: BatchReceipt, unknown: number) => void;
}

type Operation =
  | 'ingestBatch'
  | 'listObservedEvents'
  | 'listObservedShapes'
  | 'listTypeConflicts'
  | 'listEventSummaries'
  | 'listEventProperties'
  | 'getEventVolume'
  | 'getInspectorBudget'
  | 'watchBatches'
  | 'listIssues'
  | 'changeIssueState';

/** The operations of the Inspector: ingest and reports. */
export function inspectorHandlers({
  storage,
  clock,
  ingest,
  live,
  budget,
  credentialUse,
  countReceipt,
}: InspectorDependencies): Pick<Handlers<Authenticated>, Operation> {
  return {
    async ingestBatch({ body, principals: { apiKey } }) {
      const receipt = await ingest.take(apiKey, body);
      countReceipt(receipt, countUnknown(body, receipt));
      credentialUse.countBatch(apiKey, body.library);
      live.tell(apiKey, body, receipt);
      return { status: 200, body: receipt };
    },

    async listObservedEvents({ query, principals }) {
      const page = await observedEvents(storage, resolveActingAccount(principals).workspaceId, query);
      if (page === undefined) return badCursor;
      return { status: 200, body: { events: page.entries, nextCursor: page.nextCursor } };
    },

    async listObservedShapes({ query, principals }) {
      const page = await observedShapes(storage, resolveActingAccount(principals).workspaceId, query);
      if (page === undefined) return badCursor;
      return { status: 200, body: { shapes: page.entries, nextCursor: page.nextCursor } };
    },

    async listTypeConflicts({ query, principals }) {
      const page = await typeConflicts(storage, resolveActingAccount(principals).workspaceId, query);
      if (page === undefined) return badCursor;
      return { status: 200, body: { conflicts: page.entries, nextCursor: page.nextCursor } };
    },

    async listEventSummaries({ query, principals }) {
      const page = await eventSummaries(storage, resolveActingAccount(principals).workspaceId, query, clock());
      if (page === undefined) return badCursor;
      return { status: 200, body: { events: page.entries, nextCursor: page.nextCursor } };
    },

    async listEventProperties({ query, principals }) {
      const page = await eventProperties(storage, resolveActingAccount(principals).workspaceId, query);
      return page === undefined ? badCursor : { status: 200, body: page };
    },

    async getEventVolume({ query, principals }) {
      const { workspaceId } = resolveActingAccount(principals);
      return { status: 200, body: await eventVolume(storage, workspaceId, query, clock()) };
    },

    async watchBatches({ query, headers, principals, raw }) {
      const { socket } = raw.raw;
      const reader = live.open({
        who: principals,
        filter: query,
        lastEventId: headers['Last-Event-ID'],
        cutOffIfStuck: () => socket.writableLength > 0 && resetConnection(socket),
      });
      return { status: 200, body: reader };
    },

    async getInspectorBudget({ principals }) {
      return {
        status: 200,
        body: await inspectorBudget(storage, resolveActingAccount(principals).workspaceId, budget),
      };
    },

    async listIssues({ query, principals }) {
      const { workspaceId } = resolveActingAccount(principals);
      // Before the page is read: what is checked meanwhile may be missing in it.
      const isComplete = !(await hasUnchecked(storage, workspaceId));
      const page = await listIssues(storage, workspaceId, query);
      if (page === undefined) return badCursor;
      return { status: 200, body: { issues: page.entries, isComplete, nextCursor: page.nextCursor } };
    },

    async changeIssueState({ params: { issueId }, body: { state }, principals }) {
      const by = resolveActingAccount(principals);
      return { status: 200, body: await changeIssueState(storage, { issueId, state, by, at: clock() }) };
    },
  };
}

const badCursor = { status: 400 as const, body: { error: BAD_CURSOR } };
