import type { ServiceCase } from '../case.ts';
import { readWorkspaceSegment } from '../branch-url.ts';
import type { ServiceContext } from '../context.ts';
import { CONFLICT, UNAUTHORIZED, checkError, checkInvalidName } from '../documented.ts';
import { checkExport, type Row } from '../export-table.ts';
import { hasRows } from './export.ts';

/** The second workspace, as a request asks for it. */
function other(context: ServiceContext) {
  const { secondWorkspace } = context.session.options;
  if (secondWorkspace === undefined) return context.skip('No second workspace was given.');
  return { workspace: secondWorkspace.workspace, as: secondWorkspace.account };
}

/** How workspaces are kept apart. */
export const workspaces: readonly ServiceCase[] = [
  {
    id: 'workspaces/same-name',
    clauses: ['NAME-3', 'SERVICE-3'],
    level: 'required',
    title: 'A name that is held in one workspace is free in another.',
    needs: ['second workspace'],
    cost: { 'first create': 1, 'other workspace create': 1 },
    run: async (context) => {
      const { branchName } = await context.createBranch();
      await context.createBranch(branchName, other(context));
    },
  },
  {
    id: 'workspaces/no-leak',
    clauses: ['EXPORT-SUCCESS-1', 'EXPORT-ROWS-1', 'SERVICE-3'],
    level: 'required',
    title: 'The export of a workspace shows the branches of that workspace and of no other.',
    needs: ['second workspace'],
    cost: { 'first create': 1, 'first export': 1, 'other workspace create': 1, 'other workspace export': 1 },
    run: async (context) => {
      const here = await context.createBranch();
      const there = await context.createBranch(context.name(), other(context));
      // An id may be that of another branch in another workspace.
      const identify = ({ branchName, branchId }: Pick<Row, 'branchName' | 'branchId'>): string =>
        `${branchName} (${branchId})`;
      const branches = async (branchId: string, change?: ReturnType<typeof other>): Promise<Set<string>> => {
        const table = await context.exportTable(change, (one) => hasRows(one, [branchId]));
        return new Set(table.rows().map(identify));
      };
      const [first, second] = [await branches(here.branchId), await branches(there.branchId, other(context))];
      const [mine, theirs] = [identify(here), identify(there)];
      const say = (branch: string, where: string): string => `The branch ${branch} ${where} of its own workspace.`;
      context.check(first.has(mine), say(mine, 'is not in the export'));
      context.check(second.has(theirs), say(theirs, 'is not in the export'));
      context.check(!first.has(theirs), say(theirs, 'is in the export of another workspace instead'));
      context.check(!second.has(mine), say(mine, 'is in the export of another workspace instead'));
    },
  },
  {
    id: 'workspaces/refusals',
    clauses: [
      'SERVICE-3',
      'AUTHENTICATION-2',
      'BRANCH-CREATE-409-1',
      'BRANCH-CREATE-409-2',
      'BRANCH-CREATE-400-1',
      'NAME-3',
    ],
    level: 'required',
    title:
      'A second workspace refuses as the first: names that are held, names that are invalid, and requests of nobody.',
    needs: ['second workspace'],
    cost: { 'other workspace create': 4, 'nobody create': 1 },
    run: async (context) => {
      const { branchName } = await context.createBranch(context.name(), other(context));
      context.demand(checkError(await context.create({ name: branchName }, other(context)), 409, CONFLICT));
      for (const invalid of [branchName.replace('-', '_'), branchName.toUpperCase()])
        context.demand(checkInvalidName(await context.create({ name: invalid }, other(context))).problems);
      const headers: [string, string][] = [['content-type', 'application/json']];
      const nobody = { ...other(context), headers, lane: 'nobody create' };
      context.demand(checkError(await context.create({ name: context.name() }, nobody), 401, UNAUTHORIZED));
    },
  },
  {
    id: 'workspaces/url',
    clauses: ['BRANCH-URL-1', 'SERVICE-3'],
    level: 'required',
    title: 'The URLs of branches in two workspaces differ in what stands for the workspace.',
    needs: ['second workspace'],
    cost: { 'first create': 1, 'other workspace create': 1 },
    run: async (context) => {
      const segments = [await context.createBranch(), await context.createBranch(context.name(), other(context))].map(
        ({ branchUrl }) => readWorkspaceSegment(branchUrl),
      );
      context.check(segments[0] !== segments[1], `In both of them that is ${segments[0]}.`);
    },
  },
  {
    id: 'workspaces/status-of-a-namesake',
    clauses: ['EXPORT-COLUMN-branchStatus', 'SERVICE-3'],
    level: 'required',
    title: 'A branch keeps its status when one of the same name in another workspace is closed.',
    needs: ['second workspace', 'seeding'],
    cost: { 'first create': 1, 'other workspace create': 1, 'other workspace export': 2 },
    run: async (context) => {
      const here = await context.createBranch();
      const there = await context.createBranch(here.branchName, other(context));
      const findStatus = async (): Promise<string | undefined> => {
        const table = await context.exportTable(other(context), (one) => hasRows(one, [there.branchId]));
        return table.rows().find(({ branchId }) => branchId === there.branchId)?.branchStatus;
      };
      const was = await findStatus();
      await context.seed(here, 'Closed');
      const is = await findStatus();
      context.check(is === was, `The other branch ${there.branchName} was ${was} and became ${is}.`);
    },
  },
  {
    id: 'workspaces/prefix',
    clauses: ['SERVICE-3', 'EXPORT-ROWS-1'],
    level: 'required',
    title:
      'A workspace is addressed by its whole id: another one that begins alike, or is a beginning of it, shows none of its branches.',
    cost: { 'first create': 1, 'first export': 3 },
    run: async (context) => {
      const { workspace } = context.session;
      const { branchId } = await context.createBranch();
      await context.exportTable({}, (table) => hasRows(table, [branchId]));
      for (const other of [`${workspace}2`, `${workspace}-2`, workspace.slice(0, -1)].filter((id) => id !== '')) {
        const { problems, table } = checkExport(await context.export({ workspace: other }));
        context.check(
          problems.length > 0 || !hasRows(table, [branchId]),
          `The export of the workspace ${other} shows the branch ${branchId} of ${workspace}.`,
        );
      }
    },
  },
  observedAt('foreign', 'another workspace', ({ session }) => session.options.secondWorkspace?.workspace, [
    'second workspace',
  ]),
  observedAt('unknown', 'a workspace that does not exist', (context) => context.name()),
];

/** The answer to an account in a workspace that may not be its own; what its permissions are is not shown. */
function observedAt(
  id: string,
  where: string,
  workspaceOf: (context: ServiceContext) => string | undefined,
  needs: ServiceCase['needs'] = [],
): ServiceCase {
  return {
    id: `workspaces/${id}`,
    clauses: ['AUTHENTICATION-OPEN-1'],
    level: 'observed',
    title: `What an account is answered with for ${where}.`,
    needs,
    cost: { 'first create': 1, 'first export': 1 },
    run: async (context) => {
      const workspace = workspaceOf(context);
      if (workspace === undefined) return context.notObserved('No such workspace was given.');
      const created = await context.create({ name: context.name() }, { workspace });
      const exported = await context.export({ workspace });
      return `Create Branch ${created.status}, Export Branch Stats ${exported.status}.`;
    },
  };
}
