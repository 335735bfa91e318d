import { emailKey, isEmail } from '../accounts/email.ts';
import type { BranchEventPayload } from './events.ts';
import { type BranchStatus, refusedTransition } from './lifecycle.ts';
import { parseCollaborators } from './projection.ts';
import type { BranchRow } from './tables.ts';

/** A bound keeps a branch's row, and its line of the export, small. */
export const MAX_COLLABORATORS = 100;

/** What a request does to a branch as it stands: something happens, it is refused with a sentence, or nothing is left to do. */
export type Decision = { happens: BranchEventPayload } | { refused: string } | 'nothing';

export type Decide = (branch: BranchRow) => Decision;

/**
 * A branch that already has the status stays as it is.
 *
 * @param seen the status from which it is to change; left out: whichever it has
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

/** Adding an e-mail again, in whatever letters, changes nothing; spaces around it are none of it. */
export function addCollaborator(given: string): Decide {
  const trimmed = given.trim();
  const email = isEmail(trimmed) ? trimmed : given;
  return (branch) => {
    const collaborators = parseCollaborators(branch);
    if (collaborators.some((one) => emailKey(one) === emailKey(email))) return 'nothing';
    if (collaborators.length < MAX_COLLABORATORS) return { happens: { type: 'collaboratorAdded', email } };
    return { refused: `This branch already has ${MAX_COLLABORATORS} collaborators, the most it can have.` };
  };
}

/** A branch may be published in any status, as often as one likes. */
export const publish: Decide = () => ({ happens: { type: 'published' } });
