import type { operations } from '../client/generated/types.ts';

/** The event that a report is about, and its filters. */
export interface EventReport {
  workspaceId: string;
  asked: Omit<operations['listEventProperties']['parameters']['query'], 'cursor' | 'limit'>;
}
