import type { Preparations } from '../http/reading-places.ts';
import type { Storage } from '../storage/storage.ts';
import { settleForReading } from './ingest/pending-counts.ts';
import { lookBeforeReading } from './issues/look-for-issues.ts';

/** What brings a workspace up to date before its reports are read, so that they tell of all that was accepted before. */
export function inspectorPreparations(storage: Storage): Preparations {
  const settle = (workspaceId: string) => settleForReading(storage, workspaceId);
  const settleAndLook = async (workspaceId: string) => {
    await settle(workspaceId);
    await lookBeforeReading(storage, workspaceId);
  };
  return {
    listObservedEvents: settle,
    listObservedShapes: settle,
    listEventProperties: settle,
    getEventVolume: settle,
    listEventSummaries: settleAndLook,
    listIssues: settleAndLook,
  };
}
