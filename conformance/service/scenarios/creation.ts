import type { ServiceCase } from '../case.ts';
import { encodeBasic } from '../account.ts';
import { CONFLICT, type CreatedBranch, checkCreated, checkError, checkStatus } from '../documented.ts';
import type { ServiceContext } from '../context.ts';
import type { ExportTable } from '../export-table.ts';
import { checkBranchUrl } from '../branch-url.ts';

/** Forms of a valid name; `free` has no capital letter and begins with a letter. */
const VALID_NAMES: readonly [id: string, title: string, of: (free: string) => string][] = [
  ['one-word', 'a single word of letters and digits', (free) => free.replaceAll('-', '')],
  ['several-words', 'several words with hyphens between', (free) => `add-new-${free}`],
  ['digit-first', 'a digit at its begin', (free) => `2-${free}`],
  ['digits-only', 'nothing but digits', (free) => toDigits(free)],
  ['digits-and-hyphens', 'nothing but digits and hyphens', (free) => `${toDigits(free)}-7`],
  ['letters-only', 'nothing but letters', (free) => toLetters(free)],
  ['single-letters', 'words of one letter', (free) => `a-b-1-c-${free}`],
  ...['abcdefg', 'hijklmn', 'opqrstu', 'vwxyz01', '2345', '6789'].map((characters): (typeof VALID_NAMES)[number] => [
    characters,
    `the characters ${characters}`,
    (free) => `${free}-${characters}`,
  ]),
  ['leading-zero', 'a zero before other digits', (free) => `0${toDigits(free).slice(-12)}`],
  ['like-a-number', 'the form of a number with an exponent', (free) => `${toDigits(free).slice(-12)}e5`],
];

const valid = VALID_NAMES.map(([id, title, of]): ServiceCase => ({
  id: `creation/name-${id}`,
  clauses: [
    'NAME-1',
    'NAME-3',
    'BRANCH-CREATE-201-1',
    'BRANCH-CREATE-201-3',
    'BRANCH-CREATE-201-4',
    'BRANCH-CREATE-409-1',
    'BRANCH-NAME-1',
  ],
  level: 'required',
  title: `A valid name with ${title} is taken, answered with exactly that name, and held.`,
  cost: { 'first create': 2 },
  run: async (context) => {
    const { branchName } = await context.createBranch(of(context.name()));
    context.demand(checkError(await context.create({ name: branchName }), 409, CONFLICT));
  },
}));

/** Ways to write one and the same JSON object. */
const SPELLINGS: readonly [id: string, title: string, write: (name: string) => string][] = [
  ['spaced', 'with white space and line ends', (name) => `\r\n{\n\t"name" :  ${JSON.stringify(name)}\n}\n`],
  ['escaped', 'with letters written as escapes', (name) => `{"n\\u0061me":"${escapeLetters(name)}"}`],
];

const spelled = SPELLINGS.map(([id, title, write]): ServiceCase => ({
  id: `creation/body-${id}`,
  clauses: ['BRANCH-CREATE-REQUEST-3', 'BRANCH-CREATE-201-1', 'BRANCH-CREATE-201-3'],
  level: 'required',
  title: `A body is read as JSON: ${title}, it means the same.`,
  cost: { 'first create': 1 },
  run: async (context) => {
    const name = context.name();
    context.demand(checkCreated(await context.create(write(name)), name).problems);
  },
}));

/** Valid names that mean something to a language, a database or a file system. */
const RESERVED = [
  'constructor',
  'tostring',
  'null',
  'undefined',
  'nan',
  'true',
  'main',
  'master',
  'head',
  'con',
  'new',
  'v1',
  'export',
  'select',
  'draft',
  'test',
  '0',
  // To be read as numbers.
  '12e3',
  '0x1f',
];

/** Another run may have created the branch. */
function reserved(name: string): ServiceCase {
  return {
    id: `creation/reserved-${name}`,
    clauses: ['NAME-1', 'BRANCH-CREATE-201-3', 'BRANCH-CREATE-409-1'],
    level: 'required',
    title: `A branch can have the name ${name}.`,
    cost: { 'first create': 1 },
    // Not while another case looks for branches under proposed names, which may be such words.
    run: (context) =>
      context.session.mutex.run('suggestions', async () => {
        const answer = await context.create({ name });
        if (answer.status !== 409) return context.demand(checkCreated(answer, name).problems);
        const hasIt = (table: ExportTable): boolean => table.rows().some(({ branchName }) => branchName === name);
        const table = await context.exportTable({}, hasIt);
        context.check(hasIt(table), 'The name was answered with 409, but no branch of the export has it.');
      }),
  };
}

/** Of names of one length; a hyphen is no wildcard, neither in a name that is held nor in one that is asked for. */
const ALIKE = ['xa', '-a', 'ya', '-o', '-0', '-l', '-1', '-i', '-5', '-s'];
const IN_A_ROW = 5;
const LENGTHS = [40, 130];

/** How long a name may be is not shown, but an accepted name is kept whole. */
function differsLate(length: number): ServiceCase {
  return {
    id: `creation/long-names-${length}`,
    clauses: ['BRANCH-NAME-1', 'BRANCH-CREATE-201-3', 'BRANCH-CREATE-409-1', 'NAME-3'],
    level: 'required',
    title: `Two names of ${length} characters that differ in the last one are two names, and each is held, if any of that length are taken.`,
    cost: { 'first create': 3 },
    run: async (context) => {
      const beginning = `${context.name()}-`.padEnd(length - 1, 'x');
      const first = await context.create({ name: `${beginning}a` });
      if (first.status >= 400 && first.status < 500) {
        context.skip(
          `A name of ${length} characters was answered with ${first.status}; how long one may be is not shown.`,
        );
      }
      context.demand(checkCreated(first, `${beginning}a`).problems);
      await context.createBranch(`${beginning}b`);
      context.demand(checkError(await context.create({ name: `${beginning}a` }), 409, CONFLICT));
    },
  };
}

/** Created before anything else, and left as it was. */
export function oldestBranch(context: ServiceContext): Promise<CreatedBranch> {
  return context.share('oldest branch', (maker) => maker.createBranch());
}

/** How branches are created. */
export const creation: readonly ServiceCase[] = [
  {
    id: 'creation/created',
    clauses: [
      'SERVICE-1',
      'SERVICE-3',
      'VERSION-1',
      'BRANCH-CREATE-REQUEST-1',
      'BRANCH-CREATE-REQUEST-2',
      'BRANCH-CREATE-201-1',
    ],
    level: 'required',
    title: 'The documented request with a valid, free name is answered with 201.',
    cost: { 'first create': 1 },
    run: async (context) => {
      context.demand(checkStatus(await context.create({ name: context.name() }), 201));
    },
  },
  {
    id: 'creation/fields',
    clauses: ['BRANCH-CREATE-201-1', 'BRANCH-CREATE-201-2', 'BRANCH-CREATE-201-4', 'BRANCH-NAME-1'],
    level: 'required',
    title:
      'The answer is a JSON object with the strings branchId, branchName and branchUrl; branchName is what was asked for.',
    cost: { 'first create': 1 },
    run: async (context) => {
      await context.createBranch();
    },
  },
  {
    id: 'creation/ids-differ',
    clauses: ['BRANCH-ID-1', 'BRANCH-CREATE-201-1'],
    level: 'required',
    title: 'Of several creations in a row each is answered with 201, and each branch has an id of its own.',
    cost: { 'first create': IN_A_ROW },
    when: 'first',
    run: async (context) => {
      const ids = new Set([(await oldestBranch(context)).branchId]);
      for (let count = 1; count < IN_A_ROW; count += 1) ids.add((await context.createBranch()).branchId);
      context.check(
        ids.size === IN_A_ROW,
        `${IN_A_ROW} branches were created, and got the ids ${[...ids].join(', ')}.`,
      );
    },
  },
  {
    id: 'creation/url',
    clauses: ['BRANCH-URL-1', 'SERVICE-4'],
    level: 'required',
    title:
      'branchUrl has the form https://<web_host>/schemas/<workspace_segment>/branches/<branch_id>, with the id of the workspace.',
    cost: { 'first create': 2 },
    run: async (context) => {
      for (const branch of [await context.createBranch(), await context.createBranch()]) {
        context.demand(checkBranchUrl(branch.branchUrl, branch.branchId, context.session.workspace));
      }
    },
  },
  {
    id: 'creation/name-that-begins-another',
    clauses: ['BRANCH-CREATE-201-3', 'NAME-3'],
    level: 'required',
    title: 'A name is free when it is only a part of another.',
    cost: { 'first create': 3 },
    run: async (context) => {
      const name = context.name();
      await context.createBranch(`${name}-and-more`);
      await context.createBranch(name);
      await context.createBranch(`${name}-and`);
    },
  },
  {
    id: 'creation/name-that-differs-by-a-hyphen',
    clauses: ['BRANCH-CREATE-201-3', 'NAME-3'],
    level: 'required',
    title: 'A name is free when another one differs from it by a hyphen only.',
    cost: { 'first create': 3 },
    run: async (context) => {
      const name = context.name();
      for (const ending of ['-a-b', '-ab', 'a-b']) await context.createBranch(`${name}${ending}`);
    },
  },
  {
    id: 'creation/names-like-numbers',
    clauses: ['BRANCH-CREATE-201-3', 'NAME-3'],
    level: 'required',
    title: 'A name is free when another one differs from it by a zero before a number only.',
    cost: { 'first create': 5 },
    run: async (context) => {
      const name = context.name();
      for (const ending of ['-1', '-01', '-001']) await context.createBranch(`${name}${ending}`);
      const number = `7${toDigits(context.name())}`;
      for (const zeros of ['', '00']) await context.createBranch(`${zeros}${number}`);
    },
  },
  {
    id: 'creation/name-that-differs-by-one-character',
    clauses: ['BRANCH-CREATE-201-3', 'NAME-3'],
    level: 'required',
    title: 'A name is free when another one has another character in one place only, even one that looks alike.',
    cost: { 'first create': ALIKE.length },
    run: async (context) => {
      const name = context.name();
      for (const ending of ALIKE) await context.createBranch(`${name}${ending}`);
    },
  },
  {
    id: 'creation/name-like-an-id',
    clauses: ['BRANCH-CREATE-201-3', 'NAME-3'],
    level: 'required',
    title: 'A name is free when it is like the id of a branch, but no branch’s name.',
    cost: { 'first create': 2 },
    run: async (context) => {
      const { branchId, branchName } = await context.createBranch();
      const name = branchId
        .toLowerCase()
        .split(/[^a-z0-9]+/)
        .filter((word) => word !== '')
        .join('-');
      const answer = await context.create({ name });
      // How long a name may be is not shown, and some services have the name as id.
      if (answer.status !== 400 && branchId !== branchName) context.demand(checkCreated(answer, name).problems);
    },
  },
  {
    id: 'creation/names-with-more-hyphens',
    clauses: ['BRANCH-CREATE-201-3', 'NAME-3'],
    level: 'required',
    title:
      'A name is free when another one differs from it by a hyphen at its edge, or a second one in a row, if such names are taken at all.',
    cost: { 'first create': 4 },
    run: async (context) => {
      const { branchName } = await context.createBranch();
      for (const name of [`-${branchName}`, `${branchName}-`, branchName.replace('-', '--')]) {
        const answer = await context.create({ name });
        if (answer.status !== 400) context.demand(checkCreated(answer, name).problems);
      }
    },
  },
  ...RESERVED.map(reserved),
  ...LENGTHS.map(differsLate),
  {
    id: 'creation/header-name-in-any-case',
    clauses: ['AUTHENTICATION-1', 'BRANCH-CREATE-REQUEST-2'],
    level: 'required',
    title: 'The header `authorization` is known in whatever case its name is written, as everywhere in HTTP.',
    cost: { 'first create': 2 },
    run: async (context) => {
      const { account } = context.session;
      for (const header of ['Authorization', 'AUTHORIZATION']) {
        const headers: [string, string][] = [
          [header, encodeBasic(account)],
          ['CONTENT-TYPE', 'application/json'],
        ];
        await context.createBranch(context.name(), { headers });
      }
    },
  },
  {
    id: 'creation/second-account',
    clauses: ['SERVICE-5', 'AUTHENTICATION-1'],
    level: 'required',
    title: 'Another account of the workspace creates and exports too.',
    needs: ['second account'],
    cost: { 'second create': 1, 'second export': 1 },
    run: async (context) => {
      const as = context.session.secondAccount;
      if (as === undefined) return;
      const { branchId } = await context.createBranch(context.name(), { as });
      const table = await context.exportTable({ as }, (one) => one.rows().some((row) => row.branchId === branchId));
      context.check(
        table.rows().some((row) => row.branchId === branchId),
        `The export for the second account has no row with the id ${branchId} that it has just created.`,
      );
    },
  },
  ...valid,
  ...spelled,
];

/** The text as a number, so that different texts stay different and short: how long a name may be is not shown. */
function toDigits(text: string): string {
  const digits = Array.from(text.replaceAll('-', ''), (character) => BigInt(Number.parseInt(character, 36)));
  return digits.reduce((number, digit) => number * 36n + digit, 0n).toString();
}

function toLetters(text: string): string {
  return text.replaceAll('-', '').replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
}

function escapeLetters(text: string): string {
  return Array.from(text, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`).join(
    '',
  );
}
