import { correct, listBranches } from '../service/behaviour.ts';
import type { Branch } from '../service/world.ts';
import type { Fault } from '../fault.ts';

/** What shows only where requests follow one another in a certain order. */
export const sequences: readonly Fault[] = [
  {
    name: 'accepts-second-try',
    does: 'accepts an invalid name that is sent again at once',
    breaks: ['BRANCH-CREATE-400-1', 'NAME-1'],
    change: () => {
      let last = '';
      return {
        isValidName: (name) => {
          const isAgain = name !== '' && name === last;
          last = name;
          return correct.isValidName(name) || isAgain;
        },
      };
    },
  },
  {
    name: 'conflict-changes-creator',
    does: 'makes who meets a conflict the creator of the branch that holds the name',
    breaks: ['BRANCH-CREATE-409-1'],
    change: () => ({
      create: (name, account, call, behaviour) => {
        const { userId: creatorId, email: creatorEmail } = account;
        for (const rival of behaviour.rivals(name, call)) Object.assign(rival, { creatorId, creatorEmail });
        return correct.create(name, account, call, behaviour);
      },
    }),
  },
  {
    name: 'export-every-third-short',
    does: 'leaves the newest branch out of every third export',
    breaks: ['EXPORT-ROWS-1'],
    change: () => {
      let count = 0;
      return {
        exported: (call) => {
          count += 1;
          return count % 3 === 0 ? listBranches(call).slice(0, -1) : listBranches(call);
        },
      };
    },
  },
  {
    name: 'export-once-a-connection',
    does: 'exports on a connection what its first export held',
    breaks: ['EXPORT-ROWS-1'],
    change: () => {
      const first = new WeakMap<object, Branch[]>();
      return {
        exported: (call) => {
          const branches = first.get(call.connection) ?? [...listBranches(call)];
          first.set(call.connection, branches);
          return branches;
        },
      };
    },
  },
  {
    name: 'export-creator-of-newest',
    does: 'exports the creator of the newest branch as that of all',
    breaks: ['EXPORT-COLUMN-branchCreatorId'],
    change: () => ({
      exported: (call) => {
        const branches = listBranches(call);
        const creator = { creatorId: branches.at(-1)?.creatorId ?? '' };
        return branches.map((branch) => ({ ...branch, ...creator }));
      },
    }),
  },
  {
    name: 'status-until-creation',
    does: 'exports the statuses of the export before until a branch is created',
    breaks: ['EXPORT-COLUMN-branchStatus'],
    change: () => {
      const last = new Map<string, Branch[]>();
      return {
        exported: (call) => {
          const branches = listBranches(call);
          const shown = last.get(call.workspaceId);
          if (shown?.length === branches.length) return shown;
          const copies = branches.map((branch) => ({ ...branch }));
          last.set(call.workspaceId, copies);
          return copies;
        },
      };
    },
  },
  {
    name: 'status-of-foreign-namesake',
    does: 'exports the status of the latest branch of the same name in any workspace that is none of a Draft',
    breaks: ['EXPORT-COLUMN-branchStatus'],
    change: () => ({
      exported: (call) =>
        listBranches(call).map((branch) => {
          const namesakes = [...call.world.workspaces.values()].flat().filter(({ name }) => name === branch.name);
          const changed = namesakes.findLast(({ status }) => status !== 'Draft');
          return { ...branch, status: changed?.status ?? branch.status };
        }),
    }),
  },
];
