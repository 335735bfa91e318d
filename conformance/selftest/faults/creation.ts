import { correct, kept } from '../service/behaviour.ts';
import { newId } from '../service/world.ts';
import { type Fault, onFields, onReply } from '../fault.ts';

const status = (code: number, does: string): Fault => ({
  name: `created-status-${code}`,
  does,
  breaks: ['BRANCH-CREATE-201-1'],
  change: () => onReply('created', () => ({ status: code })),
});

const field = (
  name: string,
  does: string,
  clause: string,
  change: (fields: Record<string, unknown>) => Record<string, unknown>,
): Fault => ({ name, does, breaks: [clause], change: () => onFields('created', change) });

const echo = (name: string, does: string, change: (name: string) => string): Fault => ({
  name: `echo-${name}`,
  does,
  breaks: ['BRANCH-CREATE-201-4', 'BRANCH-NAME-1'],
  change: () => onFields('created', ({ branchName }) => ({ branchName: change(String(branchName)) })),
});

const url = (name: string, does: string, change: (url: URL, fields: Record<string, unknown>) => string): Fault =>
  field(name, does, 'BRANCH-URL-1', (fields) => ({ branchUrl: change(new URL(String(fields['branchUrl'])), fields) }));

/** Of the answer to a creation that succeeds. */
export const creation: readonly Fault[] = [
  ...['team', 'workspace-north', '42', 'North'].map((segment) =>
    field(
      `url-segment-${segment.toLowerCase()}`,
      `gives branchUrl with ${segment} in place of the workspace's id`,
      'SERVICE-4',
      ({ branchUrl }) => ({ branchUrl: String(branchUrl).replace(/(?<=schemas\/)[^/]+/, segment) }),
    ),
  ),
  status(200, 'answers a creation with 200'),
  status(202, 'answers a creation with 202'),
  status(303, 'answers a creation with a redirection'),
  {
    name: 'created-no-body',
    does: 'answers a creation without a body',
    breaks: ['BRANCH-CREATE-201-2'],
    change: () => onReply('created', () => ({ body: '' })),
  },
  {
    name: 'created-wrapped',
    does: 'wraps the new branch in a field "data"',
    breaks: ['BRANCH-CREATE-201-2'],
    change: () => onReply('created', ({ body }) => ({ body: { data: body } })),
  },
  {
    name: 'created-array',
    does: 'answers a creation with an array',
    breaks: ['BRANCH-CREATE-201-2'],
    change: () => onReply('created', ({ body }) => ({ body: JSON.stringify([body]) })),
  },
  {
    name: 'created-as-text',
    does: 'answers a creation with text that is no JSON',
    breaks: ['BRANCH-CREATE-201-2'],
    change: () => onReply('created', ({ body }) => ({ body: `created ${String(Object(body).branchName)}` })),
  },
  field('created-without-id', 'leaves branchId out', 'BRANCH-ID-1', () => ({ branchId: undefined })),
  field('created-without-name', 'leaves branchName out', 'BRANCH-CREATE-201-2', () => ({ branchName: undefined })),
  field('created-without-url', 'leaves branchUrl out', 'BRANCH-CREATE-201-2', () => ({ branchUrl: undefined })),
  field('created-id-renamed', 'calls branchId "id"', 'BRANCH-ID-1', ({ branchId }) => ({
    id: branchId,
    branchId: undefined,
  })),
  field('created-name-renamed', 'calls branchName "name"', 'BRANCH-CREATE-201-2', ({ branchName }) => ({
    name: branchName,
    branchName: undefined,
  })),
  field('created-snake-case', 'writes the fields in snake case', 'BRANCH-CREATE-201-2', (fields) => ({
    branch_id: fields['branchId'],
    branch_name: fields['branchName'],
    branch_url: fields['branchUrl'],
    branchId: undefined,
    branchName: undefined,
    branchUrl: undefined,
  })),
  field('created-id-number', 'gives branchId as a number', 'BRANCH-ID-1', () => ({ branchId: 4711 })),
  field('created-id-null', 'gives branchId as null', 'BRANCH-ID-1', () => ({ branchId: null })),
  field('created-url-null', 'gives branchUrl as null', 'BRANCH-CREATE-201-2', () => ({ branchUrl: null })),
  field('created-id-constant', 'gives every branch the same id', 'BRANCH-ID-1', () => ({ branchId: 'br_1' })),
  echo('upper-case', 'echoes the name in upper case', (name) => name.toUpperCase()),
  echo('without-hyphens', 'echoes the name with spaces for hyphens', (name) => name.replaceAll('-', ' ')),
  echo('cut', 'cuts the name off at 12 characters', (name) => name.slice(0, 12)),
  echo('suffixed', 'adds a suffix to the name', (name) => `${name}-1`),
  echo('last-digits-lost', 'loses digits at the end of a name', (name) => name.replace(/\d+$/, '')),
  {
    name: 'echo-number',
    does: 'echoes a name of digits as a number',
    breaks: ['BRANCH-NAME-1'],
    change: () =>
      onFields('created', ({ branchName }) => ({
        branchName: /^\d+$/.test(String(branchName)) ? Number(branchName) : branchName,
      })),
  },
  echo('leading-zeros-lost', 'loses zeros at the begin of a name of digits', (name) =>
    /^\d+$/.test(name) ? name.replace(/^0+/, '') : name,
  ),
  echo('exponent', 'takes a name like 1e5 for a number', (name) =>
    /^\d+e\d+$/.test(name) ? String(Number(name)) : name,
  ),
  {
    name: 'name-cut-at-32',
    does: 'cuts names off at 32 characters',
    breaks: ['BRANCH-NAME-1'],
    change: () => ({ newBranch: (name, account) => correct.newBranch(name.slice(0, 32), account) }),
  },
  {
    name: 'ids-come-again',
    does: 'gives the same ids again after fifty branches',
    breaks: ['EXPORT-COLUMN-branchId'],
    change: () => {
      let count = 0;
      return {
        newBranch: (name, account) => ({ ...correct.newBranch(name, account), id: `br_${(count += 1) % 50}` }),
      };
    },
  },
  {
    name: 'echo-previous',
    does: 'answers a creation with the name of the one before',
    breaks: ['BRANCH-CREATE-201-4', 'BRANCH-NAME-1'],
    change: () => {
      let before: unknown = 'earlier-draft';
      return onFields('created', ({ branchName }) => {
        const shown = before;
        before = branchName;
        return { branchName: shown };
      });
    },
  },
  url('url-http', 'gives branchUrl with http', (url) => url.href.replace('https:', 'http:')),
  url('url-relative', 'gives branchUrl as a path', (url) => url.pathname),
  url('url-without-branches', 'leaves "branches" out of branchUrl', (url) => url.href.replace('/branches/', '/')),
  url('url-without-schemas', 'gives branchUrl as an address of the API', (url) =>
    url.href.replace('/schemas/', '/workspaces/'),
  ),
  url('url-by-name', 'ends branchUrl with the name instead of the id', (url, { branchId, branchName }) =>
    url.href.replace(String(branchId), String(branchName)),
  ),
  url('url-of-another', 'ends branchUrl with the id of another branch', (url, { branchId }) =>
    url.href.replace(String(branchId), newId()),
  ),
  url('url-no-segment', 'leaves the workspace out of branchUrl', (url) =>
    url.href.replace(/schemas\/[^/]+/, 'schemas'),
  ),
  url('url-without-host', 'gives branchUrl without a host', (url) => `https://${url.pathname}`),
  url('url-below-a-prefix', 'gives branchUrl with something before "schemas"', (url) =>
    url.href.replace('/schemas/', '/app/schemas/'),
  ),
  url('url-longer', 'gives branchUrl with something after the id', (url) => `${url.href}/overview`),
  url('url-slash', 'ends branchUrl with a slash', (url) => `${url.href}/`),
  url('url-workspace-undefined', 'gives branchUrl with "undefined" for the workspace', (url) =>
    url.href.replace(/schemas\/[^/]+/, 'schemas/undefined'),
  ),
  url('url-workspace-placeholder', 'gives branchUrl with a placeholder for the workspace', (url) =>
    url.href.replace(/schemas\/[^/]+/, 'schemas/:workspaceId'),
  ),
  url('url-one-workspace', 'gives branchUrl with the same workspace for all', (url) =>
    url.href.replace(/schemas\/[^/]+/, 'schemas/main'),
  ),
  url('url-undefined', 'gives branchUrl with "undefined" for the id', (url, { branchId }) =>
    url.href.replace(String(branchId), 'undefined'),
  ),
  {
    name: 'created-not-kept',
    does: 'answers 201 and keeps nothing',
    breaks: ['BRANCH-CREATE-201-3'],
    change: () => ({
      create: async (name, account, call, { newBranch, rivals }) =>
        rivals(name, call).length > 0 ? undefined : newBranch(name, account),
    }),
  },
  {
    name: 'created-twice',
    does: 'keeps two branches for one creation',
    breaks: ['BRANCH-CREATE-201-3'],
    change: () => ({
      create: async (name, account, call, behaviour) => {
        const branch = await correct.create(name, account, call, behaviour);
        if (branch !== undefined) kept({ ...branch, id: newId() }, call);
        return branch;
      },
    }),
  },
  {
    name: 'created-under-other-name',
    does: 'keeps the branch under a changed name',
    breaks: ['BRANCH-CREATE-201-3'],
    change: () => ({
      newBranch: (name, account) => ({ ...correct.newBranch(`${name}-draft`, account), name: `${name}-draft` }),
    }),
  },
];
