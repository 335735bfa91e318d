import type { components } from '../client/generated/types.ts';

export type BranchStatus = components['schemas']['BranchStatus'];

/** In the order of a branch's life. */
export const STATUSES: readonly BranchStatus[] = ['Draft', 'ReadyForReview', 'Approved', 'Merged', 'Closed'];

export const STATUS_NAMES: Readonly<Record<BranchStatus, string>> = {
  Draft: 'Draft',
  ReadyForReview: 'Ready for review',
  Approved: 'Approved',
  Merged: 'Merged',
  Closed: 'Closed',
};

/** Writes the statuses in a sentence of the server as the console does. */
export function nameStatuses(sentence: string): string {
  return STATUSES.reduce((text, status) => text.replaceAll(status, STATUS_NAMES[status]), sentence);
}
