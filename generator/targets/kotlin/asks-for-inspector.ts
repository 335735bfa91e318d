import type { Contract } from '@branchline/contract';

/** The field of a contract that asks for an Inspector library. */
export const EXTENSION = 'x-branchline-inspector';

/** Whether a contract asks for an Inspector library. */
export function asksForInspector({ document }: Contract): boolean {
  return document[EXTENSION] !== undefined;
}
