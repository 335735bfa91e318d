import { type Behaviour, listBranches, correct } from '../service/behaviour.ts';
import { columns } from '../service/csv.ts';
import { type Branch, isOpen, newId, statuses } from '../service/world.ts';
import type { Fault } from '../fault.ts';

const shows = (name: string, does: string, clause: string, change: () => Behaviour['exported']): Fault => ({
  name: `export-${name}`,
  does,
  breaks: [clause],
  change: () => ({ exported: change() }),
});

/** Writes one cell of each row otherwise. */
export const cell = (
  name: string,
  does: string,
  column: string,
  change: (value: string, branch: Branch) => string,
): Fault => ({
  name: `export-${name}`,
  does,
  breaks: column === 'branchStatus' ? ['EXPORT-COLUMN-branchStatus', 'STATUS-1'] : [`EXPORT-COLUMN-${column}`],
  change: () => ({
    row: (branch) =>
      correct.row(branch).map((value, index) => (columns[index] === column ? change(value, branch) : value)),
  }),
});

/** Of what the export tells. */
export const exportRows: readonly Fault[] = [
  shows('empty', 'exports no branch', 'EXPORT-SUCCESS-1', () => () => []),
  shows(
    'without-newest',
    'leaves the newest branch out',
    'EXPORT-SUCCESS-1',
    () => (call) => listBranches(call).slice(0, -1),
  ),
  shows(
    'first-only',
    'exports one page of six branches',
    'EXPORT-SUCCESS-1',
    () => (call) => listBranches(call).slice(0, 6),
  ),
  shows('stale', 'exports what the first export showed', 'EXPORT-SUCCESS-1', () => {
    const shown = new Map<string, Branch[]>();
    return (call) => {
      const first = shown.get(call.workspaceId) ?? [...listBranches(call)];
      shown.set(call.workspaceId, first);
      return first;
    };
  }),
  shows(
    'too-late',
    'exports a branch a minute after it was created',
    'EXPORT-ROWS-1',
    () => (call) => listBranches(call).filter(({ createdAt }) => Date.now() - createdAt.getTime() > 60_000),
  ),
  shows(
    'first-fifty',
    'exports the first fifty branches',
    'EXPORT-SUCCESS-1',
    () => (call) => listBranches(call).slice(0, 50),
  ),
  shows(
    'newest-fifty',
    'exports the newest fifty branches',
    'EXPORT-SUCCESS-1',
    () => (call) => listBranches(call).slice(-50),
  ),
  shows(
    'first-hundred',
    'exports the first hundred branches',
    'EXPORT-SUCCESS-1',
    () => (call) => listBranches(call).slice(0, 100),
  ),
  shows('first-thousand', 'holds many branches, and exports the first thousand', 'EXPORT-SUCCESS-1', () => (call) => {
    const [first] = listBranches(call);
    const old = Array.from({ length: 980 }, (_, index) => ({ ...first, id: `old-${index}` }));
    return [...old.flatMap((one) => (first === undefined ? [] : [{ ...first, ...one }])), ...listBranches(call)].slice(
      0,
      1_000,
    );
  }),
  shows(
    'held-names-only',
    'leaves branches with digits only for a name out',
    'EXPORT-SUCCESS-1',
    () => (call) => listBranches(call).filter(({ name }) => !/^\d+$/.test(name)),
  ),
  shows('own-only', 'exports only branches of the account', 'EXPORT-SUCCESS-1', () => (call) => {
    const caller = correct.accountOf(call)?.userId;
    return listBranches(call).filter(({ creatorId }) => creatorId === caller);
  }),
  shows(
    'open-only',
    'exports only open branches',
    'EXPORT-SUCCESS-1',
    () => (call) => listBranches(call).filter(isOpen),
  ),
  shows(
    'merged-left-out',
    'leaves merged branches out',
    'EXPORT-SUCCESS-1',
    () => (call) => listBranches(call).filter(({ status }) => status !== 'Merged'),
  ),
  shows(
    'drafts-left-out',
    'leaves drafts out',
    'EXPORT-SUCCESS-1',
    () => (call) => listBranches(call).filter(({ status }) => status !== 'Draft'),
  ),
  shows('one-a-name', 'exports one branch of each name', 'EXPORT-SUCCESS-1', () => (call) => [
    ...new Map(listBranches(call).map((branch) => [branch.name, branch])).values(),
  ]),
  shows(
    'other-workspaces',
    'exports branches of every workspace',
    'EXPORT-ROWS-1',
    () =>
      ({ world }) =>
        [...world.workspaces.values()].flat(),
  ),
  shows(
    'twice',
    'exports every branch twice',
    'EXPORT-ROWS-1',
    () => (call) => listBranches(call).flatMap((branch) => [branch, branch]),
  ),
  shows(
    'row-a-collaborator',
    'exports a row for each collaborator',
    'EXPORT-ROWS-1',
    () => (call) =>
      listBranches(call).flatMap((branch) =>
        branch.collaborators
          .slice(1)
          .map(() => branch)
          .concat(branch),
      ),
  ),
  cell('name-upper-case', 'exports names in upper case', 'branchName', (value) => value.toUpperCase()),
  cell('name-as-title', 'exports names as titles', 'branchName', (value) => value.replaceAll('-', ' ')),
  cell('name-cut', 'exports the first eighteen characters of names', 'branchName', (value) => value.slice(0, 18)),
  cell('id-of-its-own', 'exports other ids than it answers', 'branchId', () => newId()),
  cell('id-without-prefix', 'exports ids without their prefix', 'branchId', (value) => value.slice(3)),
  cell('id-empty', 'exports no ids', 'branchId', () => ''),
  cell('status-lower-case', 'exports statuses in lower case', 'branchStatus', (value) => value.toLowerCase()),
  cell('status-with-spaces', 'exports "Ready For Review" and "In Draft"', 'branchStatus', (value) =>
    value === 'ReadyForReview' ? 'Ready For Review' : value.replace('Draft', 'In Draft'),
  ),
  cell('status-open', 'exports "Open" for a draft', 'branchStatus', (value) => value.replace('Draft', 'Open')),
  cell('status-always-draft', 'exports every branch as a draft', 'branchStatus', () => 'Draft'),
  shows(
    'creation-of-first',
    'exports the date of creation of the first branch for all',
    'EXPORT-COLUMN-creationDate',
    () => (call) => {
      const branches = listBranches(call);
      return branches.map((branch) => ({ ...branch, createdAt: branches[0]?.createdAt ?? branch.createdAt }));
    },
  ),
  cell('created-empty', 'exports no date of creation', 'creationDate', () => ''),
  cell(
    'guarded',
    'puts an apostrophe before a name that a spreadsheet would take for a formula',
    'branchName',
    (name) => name.replace(/^-/, "'-"),
  ),
  ...[-8, -5, 1, 2, 5.5].flatMap((hours) =>
    ['creationDate', 'markedReadyForReviewDate', 'branchMergedDate'].map((column) =>
      cell(`${column}-${hours}-hours-off`.toLowerCase(), `writes ${column} ${hours} hours off`, column, (date) =>
        date === '' ? '' : new Date(Date.parse(date) + hours * 3_600_000).toISOString(),
      ),
    ),
  ),
  cell('merged-when-created', 'gives the date of creation for that of the merge', 'branchMergedDate', (date, branch) =>
    date === '' ? '' : `${branch.createdAt.toISOString().slice(0, 19)}Z`,
  ),
  cell(
    'ready-when-created',
    'gives the date of creation for that of the first review',
    'markedReadyForReviewDate',
    (date, branch) => (date === '' ? '' : `${branch.createdAt.toISOString().slice(0, 19)}Z`),
  ),
  ...['yesterday', 'just now', 'soon', '5 minutes ago', 'true', 'Invalid Date', '[object Object]'].map((text) =>
    cell(
      `date-${text.toLowerCase().replaceAll(/\W+/g, '-')}`,
      `writes ${text} for the date of creation`,
      'creationDate',
      () => text,
    ),
  ),
  cell(
    'created-in-local-time',
    'exports dates of creation two hours ahead of UTC',
    'creationDate',
    (_, { createdAt }) => new Date(createdAt.getTime() + 2 * 3_600_000).toISOString(),
  ),
  cell('created-at-export', 'exports the time of the export as date of creation', 'creationDate', () =>
    new Date().toISOString(),
  ),
  cell('creator-id-random', 'exports another id of the creator each time', 'branchCreatorId', () => newId()),
  cell(
    'creator-email-is-name',
    'exports a name for the e-mail of the creator',
    'branchCreatorEmail',
    () => 'release bot',
  ),
  cell('creator-id-empty', 'exports no id of the creator', 'branchCreatorId', () => ''),
  cell('merged-date-empty', 'exports no date of a merge', 'branchMergedDate', () => ''),
  cell('merged-user-empty', 'does not export who merged', 'branchMergedUserEmail', () => ''),
  cell('ready-date-empty', 'exports no date of ReadyForReview', 'markedReadyForReviewDate', () => ''),
  cell('ready-user-empty', 'does not export who marked a branch', 'markedReadyForReviewerUserEmail', () => ''),
  cell('approved-as-ready', 'exports approved branches as ready for review', 'branchStatus', (value) =>
    value.replace('Approved', 'ReadyForReview'),
  ),
  cell('merged-as-closed', 'exports merged branches as closed', 'branchStatus', (value) =>
    value.replace('Merged', 'Closed'),
  ),
  cell(
    'ready-date-of-status',
    'forgets the date of ReadyForReview when a branch becomes a draft',
    'markedReadyForReviewDate',
    (value, { status }) => (status === 'Draft' ? '' : value),
  ),
  cell(
    'ready-user-of-status',
    'forgets who marked a branch when it becomes a draft',
    'markedReadyForReviewerUserEmail',
    (value, { status }) => (status === 'Draft' ? '' : value),
  ),
  cell('merged-user-is-name', 'exports a name for the e-mail of who merged', 'branchMergedUserEmail', (value) =>
    value.replace(/@.*/, ''),
  ),
  cell('status-number', 'exports statuses as numbers', 'branchStatus', (_, { status }) =>
    String(statuses.indexOf(status)),
  ),
  cell('status-empty', 'exports no statuses', 'branchStatus', () => ''),
  {
    name: 'export-last-mark',
    does: 'exports who marked a branch ReadyForReview last, and when',
    breaks: ['EXPORT-COLUMN-markedReadyForReviewDate', 'EXPORT-COLUMN-markedReadyForReviewerUserEmail'],
    change: () => ({ row: (branch) => correct.row({ ...branch, marked: branch.marked.slice(-1) }) }),
  },
  {
    name: 'export-names-as-numbers',
    does: 'exports names of digits as numbers',
    breaks: ['EXPORT-ROWS-1'],
    change: () => ({
      row: (branch) =>
        correct.row({
          ...branch,
          name: /^\d+$/.test(branch.name) ? Number(branch.name).toExponential(5) : branch.name,
        }),
    }),
  },
  {
    name: 'export-names-as-formulas',
    does: 'exports names of digits as formulas',
    breaks: ['EXPORT-ROWS-1'],
    change: () => ({
      row: (branch) => correct.row({ ...branch, name: /^\d+$/.test(branch.name) ? `="${branch.name}"` : branch.name }),
    }),
  },
  {
    name: 'export-creator-cells-swapped',
    does: 'exports the e-mail of the creator as the id, and the id as the e-mail',
    breaks: ['EXPORT-COLUMN-branchCreatorEmail'],
    change: () => ({
      row: (branch) => correct.row({ ...branch, creatorId: branch.creatorEmail, creatorEmail: branch.creatorId }),
    }),
  },
  {
    name: 'export-reviewer-cells-swapped',
    does: 'exports date and user of ReadyForReview the other way round',
    breaks: ['EXPORT-COLUMN-markedReadyForReviewerUserEmail'],
    change: () => ({
      row: (branch) => {
        const cells = correct.row(branch);
        return cells.toSpliced(8, 2, cells[9] ?? '', cells[8] ?? '');
      },
    }),
  },
  {
    name: 'export-name-and-id-swapped',
    does: 'exports the id as the name and the name as the id',
    breaks: ['EXPORT-COLUMN-branchName'],
    change: () => ({
      row: (branch) => {
        const [name = '', id = '', ...rest] = correct.row(branch);
        return [id, name, ...rest];
      },
    }),
  },
];
