import { type Branch, type Status, type World, statuses } from './world.ts';

/** Which branch is to be put into which status. */
export interface Seed {
  workspaceId: string;
  branchId: string;
  branchStatus: Status;
}

/**
 * Does what people would do in the web application: takes a branch through its life up to a status.
 *
 * @returns in a sentence what is wrong with the wish, if anything is.
 */
export function seed({ workspaceId, branchId, branchStatus }: Seed, world: World): string | undefined {
  const branch = world.workspaces.get(workspaceId)?.find(({ id }) => id === branchId);
  if (branch === undefined) return `There is no branch "${branchId}" in the workspace "${workspaceId}".`;
  if (!statuses.includes(branchStatus)) return `"${branchStatus}" is no status; there are ${statuses.join(', ')}.`;
  Object.assign(branch, stepsTo(branchStatus, branch));
  return undefined;
}

const reviewer = 'linus@people.example';

function stepsTo(status: Status, { createdAt, marked }: Branch): Partial<Branch> {
  const later = (minutes: number): Date => new Date(createdAt.getTime() + minutes * 60_000);
  const helped = { status, collaborators: [reviewer, 'ada@people.example'] };
  if (status === 'Draft' || status === 'Closed') return helped;
  const mark = { at: later(1 + marked.length), by: marked.length === 0 ? reviewer : `other-${reviewer}` };
  if (status === 'ReadyForReview') return { ...helped, marked: [...marked, mark] };
  const reviewed = { ...helped, marked: marked.length === 0 ? [mark] : marked };
  return status === 'Approved'
    ? reviewed
    : { ...reviewed, mergedAt: later(1.5), mergedBy: reviewer, publishedAt: later(1.75) };
}

/** The same, from JSON. */
export function seedFrom(text: string, world: World): string | undefined {
  try {
    const wish: Seed = JSON.parse(text);
    return seed(wish, world);
  } catch {
    return 'The body must be a JSON object with workspaceId, branchId and branchStatus.';
  }
}
