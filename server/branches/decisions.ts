import type { BranchEventPayload } from './events.ts';
import { type BranchStatus, refusedTransition } from './lifecycle.ts';
import { parseCollaborators } from './projection.ts';
import type { BranchRow } from './tables.ts';

/** A bound keeps a branch's row, and its line in the export, small. */
export const MAX_COLLABORATORS = 100;

/** The outcome of a request for a branch: an event, a refusal with a sentence, or no change. */
export type Decision = { happens: BranchEventPayload } | { refused: string } | 'nothing';

export type Decide = (branch: BranchRow) => Decision;

/**
 * Setting the current status again changes nothing.
 *
 * @param seen the status that the client last saw; left out: any
 */
export function changeStatus(status: BranchStatus, seen?: BranchStatus): Decide {
  return (branch) => {
    if (branch.status === status) return 'nothing';
    const refused = refusedTransition(branch.status, status) ?? (seen && refusedAsStale(branch.status, seen));
    return refused === undefined ? { happens: { type: 'statusChanged', status } } : { refused };
  };
}

function refusedAsStale(now: BranchStatus, seen: BranchStatus): string | undefined {
  return now === seen
    ? undefined
    : `This branch is ${now} by now, not ${seen}, and was left as it is. Look at it again before you change it.`;
}

/** Adding an e-mail again changes nothing, as the list's filter takes it: with the letters A to Z in either case. */
export function addCollaborator(email: string): Decide {
  return (branch) => {
    const collaborators = parseCollaborators(branch);
    if (collaborators.some((one) => lowerAToZ(one) === lowerAToZ(email))) return 'nothing';
    if (collaborators.length < MAX_COLLABORATORS) return { happens: { type: 'collaboratorAdded', email } };
    return { refused: `This branch already has ${MAX_COLLABORATORS} collaborators, the most it can have.` };
  };
}

function lowerAToZ(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** A branch may be published in any status, any number of times. */
export const publish: Decide = () => ({ happens: { type: 'published' } });
