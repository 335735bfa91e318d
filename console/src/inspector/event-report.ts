import type { operations } from '../client/generated/types.ts';

/** Of which event something is reported, and what of it. */
export interface EventReport {
  workspaceId: string;
  asked: Omit<operations['listEventProperties']['parameters']['query'], 'cursor' | 'limit'>;
}
