import type { SuiteCase } from '../../engine/case.ts';
import { basic } from '../account.ts';
import { type CreatedBranch, judgeCreated, statusProblem } from '../documented.ts';
import type { Trial } from '../context.ts';
import { urlProblems } from '../branch-url.ts';

/** Forms of a valid name; `free` has no capital letter and begins with a letter. */
const VALID_NAMES: readonly [id: string, title: string, of: (free: string) => string][] = [
  ['one-word', 'a single word of letters and digits', (free) => free.replaceAll('-', '')],
  ['several-words', 'several words with hyphens between', (free) => `add-new-${free}`],
  ['digit-first', 'a digit at its begin', (free) => `2-${free}`],
  ['digits-only', 'nothing but digits', (free) => digitsOf(free)],
  ['digits-and-hyphens', 'nothing but digits and hyphens', (free) => `${digitsOf(free)}-7`],
  ['letters-only', 'nothing but letters', (free) => lettersOf(free)],
  ['single-letters', 'words of one letter', (free) => `a-b-1-${free}`],
  ['leading-zero', 'a zero before other digits', (free) => `0${digitsOf(free)}`],
  ['like-a-number', 'the form of a number with an exponent', (free) => `1e${digitsOf(free)}`],
];

const valid = VALID_NAMES.map(([id, title, of]): SuiteCase => ({
  id: `creation/name-${id}`,
  clauses: ['NAME-1', 'BRANCH-CREATE-201-1', 'BRANCH-CREATE-201-3', 'BRANCH-CREATE-201-4', 'BRANCH-NAME-1'],
  level: 'required',
  title: `A valid name with ${title} is taken, and answered with exactly that name.`,
  cost: { 'first create': 1 },
  run: async (trial) => {
    await trial.created(of(trial.name()));
  },
}));

/** Ways to write one and the same JSON object. */
const SPELLINGS: readonly [id: string, title: string, write: (name: string) => string][] = [
  ['spaced', 'with white space and line ends', (name) => `\r\n{\n\t"name" :  ${JSON.stringify(name)}\n}\n`],
  ['escaped', 'with letters written as escapes', (name) => `{"n\\u0061me":"${escaped(name)}"}`],
];

const spelled = SPELLINGS.map(([id, title, write]): SuiteCase => ({
  id: `creation/body-${id}`,
  clauses: ['BRANCH-CREATE-REQUEST-3', 'BRANCH-CREATE-201-1', 'BRANCH-CREATE-201-3'],
  level: 'required',
  title: `A body is read as JSON: ${title}, it means the same.`,
  cost: { 'first create': 1 },
  run: async (trial) => {
    const name = trial.name();
    trial.demand(judgeCreated(await trial.create(write(name)), name).problems);
  },
}));

const IN_A_ROW = 5;
const LENGTHS = [40, 130];

/** How long a name may be is not shown; but what is taken, is taken whole. */
function differsLate(length: number): SuiteCase {
  return {
    id: `creation/long-names-${length}`,
    clauses: ['BRANCH-NAME-1', 'BRANCH-CREATE-201-3', 'NAME-3'],
    level: 'required',
    title: `Two names of ${length} characters that differ in the last one are two names, if any of that length are taken.`,
    cost: { 'first create': 2 },
    run: async (trial) => {
      const beginning = `${trial.name()}-`.padEnd(length - 1, 'x');
      const first = await trial.create({ name: `${beginning}a` });
      if (first.status >= 400 && first.status < 500) {
        trial.skip(
          `A name of ${length} characters was answered with ${first.status}; how long one may be is not shown.`,
        );
      }
      trial.demand(judgeCreated(first, `${beginning}a`).problems);
      await trial.created(`${beginning}b`);
    },
  };
}

/** Created before anything else, and left as it was. */
export function oldestBranch(trial: Trial): Promise<CreatedBranch> {
  return trial.shared('oldest branch', (maker) => maker.created());
}

/** Of branches that are created. */
export const creation: readonly SuiteCase[] = [
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
    run: async (trial) => {
      trial.demand(statusProblem(await trial.create({ name: trial.name() }), 201));
    },
  },
  {
    id: 'creation/fields',
    clauses: ['BRANCH-CREATE-201-1', 'BRANCH-CREATE-201-2', 'BRANCH-CREATE-201-4', 'BRANCH-NAME-1'],
    level: 'required',
    title:
      'The answer is a JSON object with the strings branchId, branchName and branchUrl; branchName is what was asked for.',
    cost: { 'first create': 1 },
    run: async (trial) => {
      await trial.created();
    },
  },
  {
    id: 'creation/ids-differ',
    clauses: ['BRANCH-ID-1', 'BRANCH-CREATE-201-1'],
    level: 'required',
    title: 'Of several creations in a row each is answered with 201, and each branch has an id of its own.',
    cost: { 'first create': IN_A_ROW },
    when: 'first',
    run: async (trial) => {
      const ids = new Set([(await oldestBranch(trial)).branchId]);
      for (let count = 1; count < IN_A_ROW; count += 1) ids.add((await trial.created()).branchId);
      trial.check(ids.size === IN_A_ROW, `${IN_A_ROW} branches were created, and got the ids ${[...ids].join(', ')}.`);
    },
  },
  {
    id: 'creation/url',
    clauses: ['BRANCH-URL-1'],
    level: 'required',
    title: 'branchUrl has the form https://<web_host>/schemas/<workspace_segment>/branches/<branch_id>.',
    cost: { 'first create': 2 },
    run: async (trial) => {
      for (const branch of [await trial.created(), await trial.created()]) {
        trial.demand(urlProblems(branch.branchUrl, branch.branchId));
      }
    },
  },
  {
    id: 'creation/name-that-begins-another',
    clauses: ['BRANCH-CREATE-201-3', 'NAME-3'],
    level: 'required',
    title: 'A name is free when it is only a part of another.',
    cost: { 'first create': 3 },
    run: async (trial) => {
      const name = trial.name();
      await trial.created(`${name}-and-more`);
      await trial.created(name);
      await trial.created(`${name}-and`);
    },
  },
  {
    id: 'creation/name-that-differs-by-a-hyphen',
    clauses: ['BRANCH-CREATE-201-3', 'NAME-3'],
    level: 'required',
    title: 'A name is free when another one differs from it by a hyphen only.',
    cost: { 'first create': 3 },
    run: async (trial) => {
      const name = trial.name();
      for (const ending of ['-a-b', '-ab', 'a-b']) await trial.created(`${name}${ending}`);
    },
  },
  ...LENGTHS.map(differsLate),
  {
    id: 'creation/header-name-in-any-case',
    clauses: ['AUTHENTICATION-1', 'BRANCH-CREATE-REQUEST-2'],
    level: 'required',
    title: 'The header `authorization` is known in whatever case its name is written, as everywhere in HTTP.',
    cost: { 'first create': 2 },
    run: async (trial) => {
      const { account } = trial.session;
      for (const header of ['Authorization', 'AUTHORIZATION']) {
        const headers: [string, string][] = [
          [header, basic(account)],
          ['CONTENT-TYPE', 'application/json'],
        ];
        await trial.created(trial.name(), { headers });
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
    run: async (trial) => {
      const as = trial.session.secondAccount;
      if (as === undefined) return;
      const { branchId } = await trial.created(trial.name(), { as });
      const table = await trial.exported({ as });
      trial.check(
        table.rows().some((row) => row.branchId === branchId),
        `The export for the second account has no row with the id ${branchId} that it has just created.`,
      );
    },
  },
  ...valid,
  ...spelled,
];

/** The text as a number, so that different texts stay different and short: how long a name may be is not shown. */
function digitsOf(text: string): string {
  const digits = Array.from(text.replaceAll('-', ''), (character) => BigInt(Number.parseInt(character, 36)));
  return digits.reduce((number, digit) => number * 36n + digit, 0n).toString();
}

function lettersOf(text: string): string {
  return text.replaceAll('-', '').replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
}

function escaped(text: string): string {
  return Array.from(text, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`).join(
    '',
  );
}
