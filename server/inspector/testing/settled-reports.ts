import type { Storage } from '../../storage/storage.ts';
import { settleForReading } from '../ingest/pending-counts.ts';
import { observedEvents, observedShapes } from '../reports/observations-report.ts';
import type { ReportQuery } from '../reports/paging.ts';

/** The observed events, as the server tells of them: what is pending is settled first. */
export async function settledEvents(storage: Storage, workspaceId: string, query: ReportQuery = {}) {
  await settleForReading(storage, workspaceId);
  return observedEvents(storage, workspaceId, query);
}

/** The observed shapes, likewise. */
export async function settledShapes(storage: Storage, workspaceId: string, query: ReportQuery = {}) {
  await settleForReading(storage, workspaceId);
  return observedShapes(storage, workspaceId, query);
}
