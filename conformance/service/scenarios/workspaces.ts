import type { SuiteCase } from '../../engine/case.ts';
import { workspaceSegment } from '../branch-url.ts';
import type { Session } from '../session.ts';
import type { Trial } from '../context.ts';

/** The second workspace, as a request asks for it. */
function other(trial: Trial) {
  const { secondWorkspace } = trial.session.options;
  if (secondWorkspace === undefined) return trial.skip('No second workspace was given.');
  return { workspace: secondWorkspace.workspace, as: secondWorkspace.account };
}

/** Of workspaces that know nothing of each other. */
export const workspaces: readonly SuiteCase[] = [
  {
    id: 'workspaces/same-name',
    clauses: ['NAME-3', 'SERVICE-3'],
    level: 'required',
    title: 'A name that is held in one workspace is free in another.',
    needs: ['second workspace'],
    cost: { 'first create': 1, 'other workspace create': 1 },
    run: async (trial) => {
      const { branchName } = await trial.created();
      await trial.created(branchName, other(trial));
    },
  },
  {
    id: 'workspaces/no-leak',
    clauses: ['EXPORT-SUCCESS-1', 'EXPORT-ROWS-1', 'SERVICE-3'],
    level: 'required',
    title: 'The export of a workspace shows the branches of that workspace and of no other.',
    needs: ['second workspace'],
    cost: { 'first create': 1, 'first export': 1, 'other workspace create': 1, 'other workspace export': 1 },
    run: async (trial) => {
      const here = await trial.created();
      const there = await trial.created(trial.name(), other(trial));
      const ids = async (asked?: ReturnType<typeof other>): Promise<Set<string>> =>
        new Set((await trial.exported(asked)).rows().map(({ branchId }) => branchId));
      const [first, second] = [await ids(), await ids(other(trial))];
      const say = (branchId: string, where: string): string => `The branch ${branchId} ${where} of its own workspace.`;
      trial.check(first.has(here.branchId), say(here.branchId, 'is not in the export'));
      trial.check(second.has(there.branchId), say(there.branchId, 'is not in the export'));
      trial.check(!first.has(there.branchId), say(there.branchId, 'is in the export of another workspace instead'));
      trial.check(!second.has(here.branchId), say(here.branchId, 'is in the export of another workspace instead'));
    },
  },
  {
    id: 'workspaces/url',
    clauses: ['BRANCH-URL-1', 'SERVICE-3'],
    level: 'required',
    title: 'The URLs of branches in two workspaces differ in what stands for the workspace.',
    needs: ['second workspace'],
    cost: { 'first create': 1, 'other workspace create': 1 },
    run: async (trial) => {
      const segments = [await trial.created(), await trial.created(trial.name(), other(trial))].map(({ branchUrl }) =>
        workspaceSegment(branchUrl),
      );
      trial.check(segments[0] !== segments[1], `In both of them that is ${segments[0]}.`);
    },
  },
  observedAt('foreign', 'another workspace', ({ options }) => options.secondWorkspace?.workspace, ['second workspace']),
  observedAt('unknown', 'a workspace that does not exist', (session) => session.name()),
];

/** What an account is answered with where it has no part; whether it has is not shown. */
function observedAt(
  id: string,
  where: string,
  workspaceOf: (session: Session) => string | undefined,
  needs: SuiteCase['needs'] = [],
): SuiteCase {
  return {
    id: `workspaces/${id}`,
    clauses: ['AUTHENTICATION-OPEN-1'],
    level: 'observed',
    title: `What an account is answered with for ${where}.`,
    needs,
    cost: { 'first create': 1, 'first export': 1 },
    run: async (trial) => {
      const workspace = workspaceOf(trial.session);
      if (workspace === undefined) return trial.notObserved('No such workspace was given.');
      const created = await trial.create({ name: trial.name() }, { workspace });
      const exported = await trial.export({ workspace });
      return `Create Branch ${created.status}, Export Branch Stats ${exported.status}.`;
    },
  };
}
