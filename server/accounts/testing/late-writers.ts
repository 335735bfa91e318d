import { expect } from 'vitest';
import { addCollaborator, changeStatus, publish } from '../../branches/decisions.ts';
import { ACTOR, idAt } from '../../branches/testing/branches.ts';
import { DAY_MS } from '../../inspector/hours.ts';
import { settleCounts } from '../../inspector/ingest/pending-counts.ts';
import { changeIssueState } from '../../inspector/issues/change-state.ts';
import { compareVersion, nextDueVersion } from '../../inspector/issues/compare-versions.ts';
import { lookForSomeIssues } from '../../inspector/issues/look-for-issues.ts';
import { batch, eventWith, NOW } from '../../inspector/testing/batches.ts';
import { WorkspaceGone } from '../../storage/workspace-gone.ts';
import { SCOPES } from '../principals.ts';
import type { FilledWorkspace } from './filled-workspace.ts';

/** Something of the server that writes for a workspace. */
export interface Writer {
  name: string;
  /** What there is to be before. */
  first?: (workspace: FilledWorkspace) => Promise<unknown>;
  write: (workspace: FilledWorkspace) => Promise<unknown>;
  /** What it answers or throws where the workspace has ended just before its transaction; left out: {@link WorkspaceGone}. */
  refusal?: unknown;
}

const ENTRANCE = { client: '203.0.113.1', replaces: [] };
const PASSWORD = 'correct horse battery staple';
const LIBRARY = { name: 'test', version: '1', platform: 'android' };

const change = (
  { branches, workspaceId }: FilledWorkspace,
  at: number,
  decide: Parameters<typeof branches.change>[0]['decide'],
) => branches.change({ workspaceId, branchId: idAt(at), actor: ACTOR, clock: () => 9, decide });

/** A batch with an event that the workspace knows, and a new one. */
const ingest = ({ ingest: inspector, key }: FilledWorkspace, source = key.source) =>
  inspector.take({ ...key, source }, batch([eventWith('property-0'), { ...eventWith('late'), eventName: 'Late' }]));

const OF_BRANCHES: readonly Writer[] = [
  {
    name: 'the creation of a branch',
    write: ({ branches, workspaceId }) =>
      branches.create({ workspaceId, branchId: idAt(9), name: 'late', actor: ACTOR, at: 9 }),
  },
  { name: 'a change of status', write: (one) => change(one, 1, changeStatus('ReadyForReview')) },
  { name: 'a branch that opens again', write: (one) => change(one, 2, changeStatus('Draft')) },
  { name: 'a collaborator', write: (one) => change(one, 1, addCollaborator('grace@example.com')) },
  { name: 'a publication', write: (one) => change(one, 1, publish) },
];

const OF_INSPECTOR: readonly Writer[] = [
  { name: 'a batch of a source that is known', write: (one) => ingest(one) },
  { name: 'a batch of a new source', write: (one) => ingest(one, 'new') },
  {
    name: 'the settling of counts',
    first: (one) => ingest(one, 'new'),
    write: ({ storage, workspaceId }) => settleCounts(storage, workspaceId),
  },
  {
    name: 'a look for issues',
    first: (one) => ingest(one),
    write: ({ storage, workspaceId }) => lookForSomeIssues(storage, workspaceId),
  },
  {
    name: 'a comparison of app versions',
    write: async ({ storage, workspaceId }) => {
      const now = NOW + 2 * DAY_MS;
      const due = await nextDueVersion(storage, workspaceId, now);
      if (due !== undefined) await Array.fromAsync(compareVersion(storage, due, now));
    },
  },
  {
    name: 'a change of the state of an issue',
    write: ({ storage, issueId, by }) => changeIssueState(storage, { issueId, state: 'resolved', by, at: 9 }),
  },
];

const OF_CREDENTIALS: readonly Writer[] = [
  {
    name: 'a new service account',
    write: ({ accounts, workspaceId }) =>
      accounts.create({
        workspaceId,
        label: 'late',
        email: 'ci@example.com',
        scopes: SCOPES,
        ratePerSecond: null,
        rateEnforcement: null,
      }),
  },
  {
    name: 'a service account that is deleted',
    write: ({ accounts, workspaceId, accountId }) => accounts.delete(workspaceId, accountId),
  },
  {
    name: 'a new API key',
    write: ({ keys, workspaceId }) => keys.create({ workspaceId, source: 'late', samplingRate: 1 }),
  },
  {
    name: 'an API key that is deleted',
    write: ({ keys, workspaceId, key }) => keys.delete(workspaceId, key.keyId),
  },
  {
    name: 'the use of a service account',
    first: async ({ use, workspaceId, accountId }) => use.countRequest({ workspaceId, accountId }),
    write: ({ use, workspaceId }) => use.write(workspaceId),
    refusal: undefined,
  },
  {
    name: 'the use of an API key',
    first: async ({ use, key }) => use.countBatch(key, LIBRARY),
    write: ({ use, workspaceId }) => use.write(workspaceId),
    refusal: undefined,
  },
  {
    name: 'the move to another hash key',
    write: ({ otherWorkspaces, workspaceId }) => otherWorkspaces.rekey(workspaceId),
    refusal: expect.objectContaining({ message: expect.stringContaining('is deleted') }),
  },
];

const OF_PEOPLE: readonly Writer[] = [
  {
    name: 'an invitation',
    write: ({ users, session: by, workspaceId }) =>
      users.invite({ workspaceId, email: 'late@example.com', role: 'viewer', by }),
  },
  { name: 'a change of a role', write: ({ users, eve }) => users.changeRole(eve, 'admin') },
  { name: 'a link for somebody', write: ({ users, eve }) => users.createLink(eve) },
  { name: 'a link for whoever uses it', write: ({ users, workspaceId }) => users.createOpenLink(workspaceId, 'admin') },
  { name: 'a person who is removed', write: ({ users, eve }) => users.remove(eve) },
  {
    name: 'a sign-in with a password',
    write: ({ signIn, workspaceId, password }) =>
      signIn.withPassword({ ...ENTRANCE, workspaceId }, 'ada@example.com', password),
    refusal: undefined,
  },
  {
    name: 'a sign-in with a link',
    write: ({ signIn, workspaceId, link }) =>
      signIn.withLink({ ...ENTRANCE, workspaceId }, link, { password: PASSWORD }),
    refusal: 'gone',
  },
  {
    name: 'a sign-in of somebody new',
    write: ({ signIn, workspaceId, openLink }) =>
      signIn.withLink({ ...ENTRANCE, workspaceId }, openLink, { email: 'late@example.com', password: PASSWORD }),
    refusal: 'gone',
  },
  {
    name: 'a sign-in at the provider',
    write: ({ signIn, workspaceId }) =>
      signIn.withIdentity(
        { ...ENTRANCE, workspaceId },
        { issuer: 'https://id.example', subject: 'ada', verifiedEmail: 'ada@example.com', hasUnusableEmail: false },
        'state',
      ),
    refusal: 'notInvited',
  },
  { name: 'a sign-out', write: ({ sessions, session }) => sessions.endNow(session.workspaceId, [session.sessionHash]) },
];

/** Each kind of writer. */
export const WRITERS: readonly Writer[] = [...OF_BRANCHES, ...OF_INSPECTOR, ...OF_CREDENTIALS, ...OF_PEOPLE];

/** What somebody gets to know of a writer that came too late. */
export function refusalOf(writer: Writer): unknown {
  return 'refusal' in writer ? writer.refusal : expect.any(WorkspaceGone);
}
