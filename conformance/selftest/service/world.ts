import { randomBytes } from 'node:crypto';

/** The values of `branchStatus` (Branch Management HTTP API, States and transitions). */
export const statuses = ['Merged', 'Closed', 'Approved', 'Draft', 'ReadyForReview'] as const;
export type Status = (typeof statuses)[number];

export interface Mark {
  at: Date;
  by: string;
}

export interface Branch {
  id: string;
  name: string;
  creatorId: string;
  creatorEmail: string;
  createdAt: Date;
  status: Status;
  collaborators: string[];
  publishedAt?: Date;
  /** Each time that somebody marked it ReadyForReview, the first one first. */
  marked: Mark[];
  mergedAt?: Date;
  mergedBy?: string;
}

/** A service account. It belongs to one workspace. */
export interface Account {
  name: string;
  secret: string;
  workspaceId: string;
  userId: string;
  email: string;
}

/** All that the service knows, in memory. */
export interface World {
  accounts: readonly Account[];
  /** By workspace id, in the order of creation. */
  workspaces: ReadonlyMap<string, Branch[]>;
}

export function isOpen({ status }: Branch): boolean {
  return status !== 'Merged' && status !== 'Closed';
}

export function newId(): string {
  return `br_${randomBytes(8).toString('hex')}`;
}

/** Of each workspace's two accounts the second has a secret with colons, which the documents do not forbid. */
const usualAccounts: readonly Account[] = [
  account('north', 'release-bot', 'k3-Wq-north-1'),
  account('north', 'review-bot', 's0:Zt:north-2'),
  account('south', 'release-bot-south', 'p9-Lm-south-1'),
  account('south', 'review-bot-south', 'v7:Hx:south-2'),
];

export function account(workspaceId: string, name: string, secret: string): Account {
  return { name, secret, workspaceId, userId: `user-${name}`, email: `${name}@robots.example` };
}

/** A branch in every status in each of the accounts' workspaces; without accounts there are two workspaces with two of them each. */
export function newWorld(accounts: readonly Account[] = usualAccounts): World {
  const names = [...new Set(accounts.map(({ workspaceId }) => workspaceId))];
  return { accounts, workspaces: new Map(names.map((id) => [id, statuses.map((status) => lived(id, status))])) };
}

const ada = 'ada@people.example';
/** Lawful in an address (RFC 5322), and hard on a careless CSV writer. */
const grace = '"Hopper, Grace"@people.example';

/** A branch that was there before, with the dates that its status brings. */
function lived(workspaceId: string, status: Status): Branch {
  const base = new Date('2026-01-02T03:04:05Z').getTime();
  const dayLater = (days: number): Date => new Date(base + days * 86_400_000);
  return {
    id: newId(),
    name: `earlier-${status.toLowerCase()}-${workspaceId}`,
    creatorId: 'user-ada',
    creatorEmail: ada,
    createdAt: dayLater(0),
    status,
    collaborators: [ada, grace],
    marked: status === 'Draft' ? [] : [{ at: dayLater(1), by: grace }],
    ...(status === 'Merged' ? { mergedAt: dayLater(2), mergedBy: grace, publishedAt: dayLater(3) } : {}),
  };
}
