import { setTimeout as pause } from 'node:timers/promises';
import { listBranches, correct, kept } from '../service/behaviour.ts';
import { type Branch, isOpen } from '../service/world.ts';
import { type Fault, onFields, onReply } from '../fault.ts';

const named = (name: string, branches: readonly Branch[]): Branch[] =>
  branches.filter((branch) => branch.name === name);

const sentence = (name: string, error: unknown): Fault => ({
  name,
  does: `answers a conflict with ${JSON.stringify(error)}`,
  breaks: ['BRANCH-CREATE-409-2'],
  change: () => onFields('conflict', () => ({ error })),
});

const status = (code: number): Fault => ({
  name: `conflict-${code}`,
  does: `answers a conflict with ${code}`,
  breaks: ['BRANCH-CREATE-409-1'],
  change: () => onReply('conflict', () => ({ status: code })),
});

/** How names are held. */
export const conflicts: readonly Fault[] = [
  status(400),
  status(422),
  status(200),
  status(201),
  sentence('conflict-other-sentence', 'A branch with this name already exists'),
  sentence('conflict-full-stop', 'Branch with this name already exists.'),
  sentence('conflict-lower-case', 'branch with this name already exists'),
  sentence('conflict-list', ['Branch with this name already exists']),
  {
    name: 'conflict-errors-field',
    does: 'calls the field of a conflict "errors"',
    breaks: ['ERROR-BODY-1'],
    change: () => onFields('conflict', ({ error }) => ({ errors: error, error: undefined })),
  },
  {
    name: 'conflict-no-body',
    does: 'answers a conflict without a body',
    breaks: ['ERROR-BODY-1'],
    change: () => onReply('conflict', () => ({ body: '' })),
  },
  {
    name: 'conflict-never',
    does: 'creates branches of one name',
    breaks: ['BRANCH-CREATE-409-1'],
    change: () => ({ rivals: () => [] }),
  },
  {
    name: 'conflict-idempotent',
    does: 'answers a second creation with 201 and the first branch',
    breaks: ['BRANCH-CREATE-409-1'],
    change: () => ({
      create: async (name, account, call, { newBranch, rivals }) => {
        const [first] = rivals(name, call);
        return first ?? kept(newBranch(name, account), call);
      },
    }),
  },
  {
    name: 'conflict-across-workspaces',
    does: 'refuses a name that is held in another workspace',
    breaks: ['NAME-3'],
    change: () => ({ rivals: (name, { world }) => named(name, [...world.workspaces.values()].flat()).filter(isOpen) }),
  },
  {
    name: 'conflict-by-account',
    does: 'sees conflicts only with branches of the same account',
    breaks: ['BRANCH-CREATE-409-1'],
    change: () => ({
      rivals: (name, call) => {
        const caller = correct.accountOf(call)?.userId;
        return correct.rivals(name, call).filter(({ creatorId }) => creatorId === caller);
      },
    }),
  },
  {
    name: 'conflict-by-prefix',
    does: 'refuses a name that begins as another one does',
    breaks: ['BRANCH-CREATE-201-3'],
    change: () => ({
      rivals: (name, call) => listBranches(call).filter((branch) => isOpen(branch) && branch.name.startsWith(name)),
    }),
  },
  {
    name: 'conflict-without-hyphens',
    does: 'takes names that differ by hyphens for the same',
    breaks: ['BRANCH-CREATE-201-3'],
    change: () => ({
      rivals: (name, call) => {
        const plain = name.replaceAll('-', '');
        return listBranches(call).filter((branch) => isOpen(branch) && branch.name.replaceAll('-', '') === plain);
      },
    }),
  },
  {
    name: 'conflict-by-32-characters',
    does: 'compares only the first 32 characters of names',
    breaks: ['BRANCH-CREATE-201-3'],
    change: () => ({
      rivals: (name, call) =>
        listBranches(call).filter((branch) => isOpen(branch) && branch.name.slice(0, 32) === name.slice(0, 32)),
    }),
  },
  {
    name: 'conflict-with-newest-only',
    does: 'sees conflicts only with the newest twenty branches',
    breaks: ['NAME-3'],
    change: () => ({ rivals: (name, call) => named(name, listBranches(call).slice(-20)).filter(isOpen) }),
  },
  {
    name: 'conflict-forgotten',
    does: 'holds a name for half a second only',
    breaks: ['NAME-3'],
    change: () => ({
      rivals: (name, call) =>
        correct.rivals(name, call).filter(({ createdAt }) => Date.now() - createdAt.getTime() < 500),
    }),
  },
  {
    name: 'conflict-before-the-name',
    does: 'answers 409 to an invalid name that is like one that is held',
    breaks: ['BRANCH-CREATE-400-1'],
    change: () => ({
      reply: (reply, call) => {
        const like = correct.nameIn(call.body)?.trim().toLowerCase() ?? '';
        const held = reply.kind === 'invalid' && correct.rivals(like, call).length > 0;
        return held
          ? { ...reply, kind: 'conflict', status: 409, body: { error: 'Branch with this name already exists' } }
          : reply;
      },
    }),
  },
  {
    name: 'conflict-race-of-accounts',
    does: 'lets two accounts create branches of one name at the same time',
    breaks: ['BRANCH-CREATE-409-1'],
    change: () => {
      const underWay = new Map<string, Promise<unknown>>();
      return {
        create: async (name, account, call, { newBranch, rivals }) => {
          const own = `${account.userId} ${name}`;
          await underWay.get(own);
          const held = rivals(name, call).length > 0;
          const waited = pause(30);
          underWay.set(
            own,
            waited.then(() => {}),
          );
          await waited;
          return held || named(name, listBranches(call)).some(({ creatorId }) => creatorId === account.userId)
            ? undefined
            : kept(newBranch(name, account), call);
        },
      };
    },
  },
  {
    name: 'conflict-race',
    does: 'lets creations of one name at the same time all through',
    breaks: ['BRANCH-CREATE-409-1'],
    change: () => ({
      create: async (name, account, call, { newBranch, rivals }) => {
        const held = rivals(name, call).length > 0;
        await pause(30);
        return held ? undefined : kept(newBranch(name, account), call);
      },
    }),
  },
  {
    name: 'conflict-race-kept',
    does: 'answers 409 to the loser of a race and keeps its branch',
    breaks: ['EXPORT-ROWS-1'],
    change: () => ({
      create: async (name, account, call, { newBranch, rivals }) => {
        if (rivals(name, call).length > 0) return undefined;
        await pause(30);
        const lost = rivals(name, call).length > 0;
        const branch = kept(newBranch(name, account), call);
        return lost ? undefined : branch;
      },
    }),
  },
  {
    name: 'conflict-race-500',
    does: 'answers 500 to the loser of a race',
    breaks: ['BRANCH-CREATE-409-1'],
    change: () => {
      const underWay = new Set<string>();
      return {
        create: async (name, account, call, behaviour) => {
          if (underWay.has(name)) throw new Error('unique constraint failed');
          underWay.add(name);
          await pause(30);
          underWay.delete(name);
          return correct.create(name, account, call, behaviour);
        },
      };
    },
  },
  {
    name: 'conflict-replaces',
    does: 'answers 409 and replaces the branch that was there',
    breaks: ['BRANCH-CREATE-409-1'],
    change: () => ({
      create: async (name, account, call, { newBranch, rivals }) => {
        const [first] = rivals(name, call);
        if (first === undefined) return kept(newBranch(name, account), call);
        Object.assign(first, newBranch(name, account));
        return undefined;
      },
    }),
  },
];
