import { type Behaviour, listBranches, correct } from '../service/behaviour.ts';
import { isOpen } from '../service/world.ts';
import { type Fault, onFields } from '../fault.ts';

/** Takes names for equal that are different. */
const equates = (name: string, does: string, simplify: (name: string) => string): Fault => ({
  name: `equates-${name}`,
  does: `takes names for equal ${does}`,
  breaks: ['BRANCH-CREATE-201-3'],
  change: () => ({
    rivals: (asked, call) =>
      listBranches(call).filter((branch) => isOpen(branch) && simplify(branch.name) === simplify(asked)),
  }),
});

/** Keeps branches under another name than was asked for, and says so. */
const normalises = (name: string, does: string, change: (name: string) => string): Fault => ({
  name: `normalises-${name}`,
  does: `creates a branch ${does}`,
  breaks: ['BRANCH-CREATE-201-3'],
  change: () => ({
    newBranch: (asked, account) => correct.newBranch(change(asked), account),
    rivals: (asked, call) => correct.rivals(change(asked), call),
  }),
});

const reserves = (word: string): Fault => ({
  name: `reserves-${word}`,
  does: `refuses the name ${word}`,
  breaks: ['NAME-1', 'BRANCH-CREATE-201-3'],
  change: () => ({ isValidName: (asked) => correct.isValidName(asked) && asked !== word }),
});

/** Sees only so many of the newest branches when it looks for a name. */
const newest = (count: number): Fault => ({
  name: `looks-up-newest-${count}`,
  does: `looks for a name among the newest ${count} branches only`,
  breaks: ['NAME-3'],
  ...(count > 100 ? { exportRows: count + 100 } : {}),
  change: () => ({
    rivals: (asked, call) =>
      listBranches(call)
        .slice(-count)
        .filter((branch) => isOpen(branch) && branch.name === asked),
  }),
});

/** Finds a workspace by a part of its id. */
const finds = (name: string, does: string, isLike: (asked: string, id: string) => boolean): Fault => ({
  name: `finds-workspace-${name}`,
  does: `finds a workspace ${does}`,
  breaks: ['SERVICE-3'],
  change: () => {
    const real = (asked: string, ids: Iterable<string>): string => [...ids].find((id) => isLike(asked, id)) ?? asked;
    const withReal = <Call extends Parameters<Behaviour['exported']>[0]>(call: Call): Call => ({
      ...call,
      workspaceId: real(call.workspaceId, call.world.workspaces.keys()),
    });
    return {
      mayUse: (account, workspaceId) => isLike(workspaceId, account.workspaceId),
      exported: (call) => correct.exported(withReal(call)),
    };
  },
});

/** Of names and ids that are taken for others. */
export const equality: readonly Fault[] = [
  equates('by-number', 'that differ by a zero before a number', (name) => name.replaceAll(/(?<!\d)0+(?=\d)/g, '')),
  equates('by-leading-hyphen', 'that differ by a hyphen at their begin', (name) => name.replace(/^-+/, '')),
  equates('by-trailing-hyphen', 'that differ by a hyphen at their end', (name) => name.replace(/-+$/, '')),
  equates('by-edges', 'that differ by hyphens at their edges', (name) => name.replaceAll(/^-+|-+$/g, '')),
  equates('by-looks', 'that look alike', (name) => name.replaceAll('o', '0').replaceAll(/[li]/g, '1')),
  ...[['asked', 'held'] as const, ['held', 'asked'] as const].map(([pattern, text]): Fault => ({
    name: `equates-by-wildcards-${pattern}`,
    does: `takes a hyphen in a name that is ${pattern} for any character`,
    breaks: ['BRANCH-CREATE-201-3'],
    change: () => ({
      rivals: (asked, call) =>
        listBranches(call).filter((branch) => {
          const names = { asked, held: branch.name };
          return isOpen(branch) && new RegExp(`^${names[pattern].replaceAll('-', '.')}$`).test(names[text]);
        }),
    }),
  })),
  equates('by-40-characters', 'whose first forty characters are the same', (name) => name.slice(0, 40)),
  equates(
    'by-length-and-begin',
    'of the same length that begin alike',
    (name) => `${name.length} ${name.slice(0, 20)}`,
  ),
  ...['constructor', 'tostring', 'null', 'undefined', 'nan', 'true', 'main', 'master', 'head', 'con', 'new', 'v1'].map(
    reserves,
  ),
  ...[10, 50, 100, 500, 1_000, 2_000].map(newest),
  finds('by-its-beginning', 'whose id the asked one begins with', (asked, id) => asked.startsWith(id)),
  finds('by-prefix', 'whose id begins with the asked one', (asked, id) => id.startsWith(asked)),
  finds('with-a-number', 'without the number after its id', (asked, id) => asked.replace(/-?\d+$/, '') === id),
  normalises('double-hyphens', 'with one hyphen in place of two', (name) => name.replaceAll(/-{2,}/g, '-')),
  normalises('edge-hyphens', 'without hyphens at its edges', (name) => name.replaceAll(/^-+|-+$/g, '') || name),
  normalises('long-names', 'with at most fifty characters of its name', (name) => name.slice(0, 50)),
  normalises('numbers', 'with the digits of a number that its name can be read as', (name) =>
    /^\d{1,3}e\d{1,2}$/.test(name) ? String(Number(name)) : name,
  ),
  normalises('zeros', 'without zeros before a number', (name) => name.replace(/^0+(?=\d)/, '')),
  {
    name: 'reads-name-in-any-case',
    does: 'reads the name under "Name" and "NAME" too',
    breaks: ['BRANCH-CREATE-400-3'],
    change: () => ({
      nameIn: (body) =>
        correct.nameIn(body) ?? correct.nameIn(Buffer.from(body.toString().replace(/"name"/i, '"name"'))),
    }),
  },
  ...['branchId', 'branchName', 'branchUrl'].map((field): Fault => ({
    name: `field-in-other-case-${field.toLowerCase()}`,
    does: `calls ${field} ${field.charAt(0).toUpperCase()}${field.slice(1)}`,
    breaks: ['BRANCH-CREATE-201-2'],
    change: () =>
      onFields('created', (fields) => ({
        [field]: undefined,
        [`${field.charAt(0).toUpperCase()}${field.slice(1)}`]: fields[field],
      })),
  })),
];
