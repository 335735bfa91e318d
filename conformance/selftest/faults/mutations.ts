import { type Kind, correct } from '../service/behaviour.ts';
import { columns } from '../service/csv.ts';
import { type Fault, onFields, onReply } from '../fault.ts';

/** Faults that are derived from each field, sentence, status and column that the documents name. */

/** Values of another type than the documented string. */
const OTHER_TYPES: Readonly<Record<string, (value: string) => unknown>> = {
  missing: () => undefined,
  null: () => null,
  number: () => 4_711,
  boolean: () => true,
  array: (value) => [value],
  object: (value) => ({ value }),
};

/** What becomes of a text on a careless way. */
const OTHER_TEXTS: Readonly<Record<string, (value: string) => string>> = {
  'upper-case': (value) => value.toUpperCase(),
  truncated: (value) => value.slice(0, -1),
  beheaded: (value) => value.slice(1),
  doubled: (value) => value + value,
  'space-before': (value) => ` ${value}`,
  'space-after': (value) => `${value} `,
  'line-feed-after': (value) => `${value}\n`,
  quoted: (value) => `"${value}"`,
  reversed: (value) => Array.from(value).toReversed().join(''),
  empty: () => '',
};

/** Names of a field that are not the documented one. */
const OTHER_KEYS: Readonly<Record<string, (key: string) => string>> = {
  capital: (key) => key.charAt(0).toUpperCase() + key.slice(1),
  capitals: (key) => key.toUpperCase(),
  snake: (key) => `${key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_`,
  plural: (key) => `${key}s`,
  spaced: (key) => `${key} `,
};

function each<T>(choices: Readonly<Record<string, T>>, make: (name: string, choice: T) => Fault): Fault[] {
  return Object.entries(choices).map(([name, choice]) => make(name, choice));
}

function mutate(
  kind: Kind,
  field: string,
  breaks: readonly string[],
  change: (value: string, fields: Record<string, unknown>) => Record<string, unknown>,
): Pick<Fault, 'breaks' | 'change'> {
  return { breaks, change: () => onFields(kind, (fields) => change(String(fields[field]), fields)) };
}

/** A field of an answer, with another type, another text, or under another name. */
const field = (kind: Kind, key: string, ofForm: string, ofText: readonly string[]): Fault[] => [
  ...each(OTHER_TYPES, (name, convert) => ({
    name: `${kind}-${key.toLowerCase()}-${name}`,
    does: `answers with ${key} as ${name} (${kind})`,
    ...mutate(kind, key, [ofForm], (value) => ({ [key]: convert(value) })),
  })),
  ...each(OTHER_KEYS, (name, rename) => ({
    name: `${kind}-${key.toLowerCase()}-key-${name}`,
    does: `calls ${key} ${JSON.stringify(rename(key))} (${kind})`,
    ...mutate(kind, key, [ofForm], (value) => ({ [key]: undefined, [rename(key)]: value })),
  })),
  ...each(OTHER_TEXTS, (name, change) => ({
    name: `${kind}-${key.toLowerCase()}-text-${name}`,
    does: `answers with ${key} ${name} (${kind})`,
    ...mutate(kind, key, ofText, (value) => ({ [key]: change(value) })),
  })),
];

/** Another status than the documented one. */
const statuses = (kind: Kind, clause: string, codes: readonly number[]): Fault[] =>
  codes.map((status) => ({
    name: `${kind}-with-${status}`,
    does: `answers ${status} (${kind})`,
    breaks: [clause],
    change: () => onReply(kind, () => ({ status })),
  }));

/** The first line of the export. */
const header = columns.flatMap((column, index): Fault[] => {
  const fault = (name: string, does: string, change: (all: string[]) => string[]): Fault => ({
    name: `header-${column.toLowerCase()}-${name}`,
    does: `${does} ${column} in the first line`,
    breaks: ['EXPORT-COLUMNS-1'],
    change: () => ({ columns: change([...columns]) }),
  });
  return [
    ...each(OTHER_KEYS, (name, rename) =>
      fault(name, `writes ${rename(column)} for`, (all) => all.with(index, rename(column))),
    ),
    fault('dropped', 'leaves out', (all) => all.toSpliced(index, 1)),
    fault('twice', 'names twice', (all) => all.toSpliced(index, 0, column)),
  ];
});

/** All cells of a row, by where their column stands. */
const rows = (name: string, does: string, clause: string, change: (cells: string[]) => string[]): Fault => ({
  name: `rows-${name}`,
  does,
  breaks: [clause],
  change: () => ({ row: (branch) => change(correct.row(branch)) }),
});

const shapes = columns.flatMap((column, index): Fault[] => [
  rows(`without-${column.toLowerCase()}`, `leaves the cell ${column} out`, 'EXPORT-COLUMNS-1', (cells) =>
    cells.toSpliced(index, 1),
  ),
  rows(`with-${column.toLowerCase()}-twice`, `writes the cell ${column} twice`, 'EXPORT-COLUMNS-1', (cells) =>
    cells.toSpliced(index, 0, cells[index] ?? ''),
  ),
]);

/** Pairs of neighbours of which one at least is then wrong for certain. */
const SWAPPED: readonly [column: string, next: string, wrong: string][] = [
  ['branchName', 'branchId', 'branchName'],
  ['branchCreatorId', 'branchCreatorEmail', 'branchCreatorEmail'],
  ['branchCreatorEmail', 'creationDate', 'creationDate'],
  ['creationDate', 'branchStatus', 'branchStatus'],
  ['branchStatus', 'collaborators', 'branchStatus'],
  ['lastPublishedDate', 'markedReadyForReviewDate', 'markedReadyForReviewDate'],
  ['markedReadyForReviewDate', 'markedReadyForReviewerUserEmail', 'markedReadyForReviewDate'],
  ['markedReadyForReviewerUserEmail', 'branchMergedDate', 'markedReadyForReviewerUserEmail'],
  ['branchMergedDate', 'branchMergedUserEmail', 'branchMergedDate'],
];

const swaps = SWAPPED.map(([column, next, wrong]) =>
  rows(
    `${column}-for-${next}`.toLowerCase(),
    `swaps the cells ${column} and ${next}`,
    `EXPORT-COLUMN-${wrong}`,
    (cells) => {
      const [first, second] = [columns.indexOf(column), columns.indexOf(next)];
      return cells.with(first, cells[second] ?? '').with(second, cells[first] ?? '');
    },
  ),
);

/** Columns of which the documents say what is in them, for each branch or once it has come to a step. */
const FILLED = [
  'branchName',
  'branchId',
  'branchCreatorId',
  'creationDate',
  'branchStatus',
  'markedReadyForReviewDate',
  'markedReadyForReviewerUserEmail',
  'branchMergedDate',
  'branchMergedUserEmail',
];

/** Columns whose text is known exactly. */
const EXACT = ['branchName', 'branchStatus'];

const changeCell = (column: string, name: string, change: (cell: string) => string): Fault =>
  rows(`${column.toLowerCase()}-${name}`, `writes the cell ${column} ${name}`, `EXPORT-COLUMN-${column}`, (cells) => {
    const index = columns.indexOf(column);
    return cells.with(index, change(cells[index] ?? ''));
  });

const cells = [
  ...FILLED.flatMap((column) =>
    ['', 'null', '-', 'n/a'].map((nothing, index) => changeCell(column, `nothing-${index}`, () => nothing)),
  ),
  ...EXACT.flatMap((column) =>
    each(OTHER_TEXTS, (name, change) => changeCell(column, name, change)).filter(
      ({ name }) => !name.endsWith('-empty'),
    ),
  ),
];

export const mutations: readonly Fault[] = [
  ...field('created', 'branchId', 'BRANCH-CREATE-201-2', ['BRANCH-URL-1']),
  ...field('created', 'branchName', 'BRANCH-CREATE-201-2', ['BRANCH-CREATE-201-4', 'BRANCH-NAME-1']),
  ...field('created', 'branchUrl', 'BRANCH-CREATE-201-2', ['BRANCH-URL-1']),
  ...field('invalid', 'error', 'ERROR-BODY-1', ['BRANCH-CREATE-400-4']),
  ...field('conflict', 'error', 'ERROR-BODY-1', ['BRANCH-CREATE-409-2']),
  ...field('unauthorized', 'error', 'ERROR-BODY-1', ['BRANCH-CREATE-401-3']),
  ...statuses('created', 'BRANCH-CREATE-201-1', [200, 202, 203, 206, 400, 403, 404, 409, 500, 502]),
  ...statuses('invalid', 'BRANCH-CREATE-400-1', [200, 201, 202, 401, 403, 404, 406, 409, 415, 422, 500]),
  ...statuses('conflict', 'BRANCH-CREATE-409-1', [200, 201, 202, 400, 403, 404, 410, 412, 422, 423, 500]),
  ...statuses('unauthorized', 'BRANCH-CREATE-401-2', [400, 402, 403, 404, 407, 409, 500]),
  ...header,
  ...shapes,
  ...swaps,
  ...cells,
];
