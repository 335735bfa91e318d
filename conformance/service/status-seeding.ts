import { buildPath } from '../engine/http/path.ts';
import { encodeBasic } from './account.ts';
import type { Seeding, Status } from './seeding.ts';
import type { Session } from './session.ts';

/** The statuses on the way from a new branch to each, by the transitions of the profile. */
const WAY: Record<Status, readonly Status[]> = {
  Draft: ['Draft'],
  ReadyForReview: ['ReadyForReview'],
  Approved: ['ReadyForReview', 'Approved'],
  Merged: ['ReadyForReview', 'Approved', 'Merged'],
  Closed: ['Closed'],
};

/** Puts branches into a status by Change Branch Status, an operation of the profile. */
export function seedByOperations(session: Session): Seeding {
  return async ({ branchId }, status, workspace) => {
    for (const branchStatus of WAY[status]) {
      const { outcome } = await session.sender.send({
        method: 'PUT',
        path: buildPath('workspaces', workspace, 'branches', branchId, 'status', 'v1'),
        lane: session.lane(session.account, 'changeBranchStatus'),
        headers: [
          ['authorization', encodeBasic(session.account)],
          ['content-type', 'application/json'],
        ],
        body: JSON.stringify({ branchStatus }),
      });
      const answered = outcome.problem ?? `status ${outcome.answer?.status}`;
      if (outcome.answer?.status !== 200) {
        throw new Error(`Change Branch Status to ${branchStatus} was answered with ${answered}.`);
      }
    }
  };
}
