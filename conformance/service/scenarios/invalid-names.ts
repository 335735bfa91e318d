import type { ServiceCase } from '../case.ts';
import { checkCreated, checkInvalidName } from '../documented.ts';

/** Invalid characters, each put into a name that is otherwise free and valid. */
const INVALID: readonly [id: string, title: string, of: (free: string) => string][] = [
  ['uppercase', 'a capital letter', (free) => free.replace('c', 'C')],
  ['all-uppercase', 'capital letters only', (free) => free.toUpperCase()],
  ['underscore', 'an underscore', (free) => free.replace('-', '_')],
  ['space', 'a space', (free) => free.replace('-', ' ')],
  ['leading-space', 'a space at its begin', (free) => ` ${free}`],
  ['trailing-space', 'a space at its end', (free) => `${free} `],
  ['trailing-newline', 'a line feed at its end', (free) => `${free}\n`],
  ['newline', 'a line feed inside', (free) => free.replace('-', '\n')],
  ['tab', 'a tab', (free) => free.replace('-', '\t')],
  ['control', 'a control character', (free) => free.replace('-', '\u0007')],
  ['dot', 'a dot', (free) => free.replace('-', '.')],
  ['slash', 'a slash', (free) => free.replace('-', '/')],
  ['colon', 'a colon', (free) => free.replace('-', ':')],
  ['backtick', 'a grave accent', (free) => free.replace('-', '`')],
  ['brace', 'a brace', (free) => free.replace('-', '{')],
  ['plus', 'a plus sign', (free) => free.replace('-', '+')],
  ['at', 'an at sign', (free) => free.replace('-', '@')],
  ['number-sign', 'a number sign', (free) => free.replace('-', '#')],
  ['percent-escape', 'a letter as a percent escape', (free) => free.replace('a', '%61')],
  ['null-character', 'a null character inside', (free) => free.replace('-', '\0')],
  ['after-null-character', 'capital letters after a null character', (free) => `${free}\0BAD`],
  ['late-underscore', 'an underscore as its 40th character', (free) => `${free.padEnd(39, 'x')}_`],
  ['long', '300 characters and a capital letter', (free) => `${free.padEnd(300, 'x')}X`],
  ['comma', 'a comma', (free) => free.replace('-', ',')],
  ['quote', 'a quotation mark', (free) => free.replace('-', '"')],
  ['exclamation', 'an exclamation mark', (free) => `${free}!`],
  ['accent', 'a lowercase letter outside ASCII', (free) => free.replace('a', 'é')],
  ['umlauts', 'letters with two dots', (free) => `Ünïcode Näme ${free}`],
  ['homoglyph', 'a Cyrillic letter that looks like a Latin one', (free) => free.replace('a', '\u0430')],
  ['kelvin', 'the sign for kelvin, which becomes a k in lower case', (free) => `${free}\u212A`],
  ['long-s', 'a long s, which becomes an S in upper case', (free) => `${free}\u017F`],
  ['other-digit', 'a digit of another script', (free) => `${free}\u0663`],
  ['full-width', 'a full-width letter', (free) => `${free}\uFF41`],
  ['other-hyphen', 'a hyphen that is not the one of ASCII', (free) => free.replace('-', '\u2010')],
  ['long-dash', 'a dash', (free) => free.replace('-', '\u2013')],
  ['emoji', 'an emoji', (free) => `${free}-🚀`],
  ['ideographs', 'letters of another script', (free) => `分支-${free}`],
  ['zero-width', "a character that can't be seen", (free) => `${free}\u200B`],
  ['lone-surrogate', 'half a surrogate pair', (free) => `${free}\uD83D`],
  ['spaces-only', 'nothing but spaces', () => '   '],
  ['punctuation-only', 'nothing but punctuation', () => '!?*'],
];

const refused = INVALID.map(([id, title, of]): ServiceCase => ({
  id: `invalid-names/${id}`,
  clauses: ['BRANCH-CREATE-400-1', 'BRANCH-CREATE-400-4', 'ERROR-BODY-1', 'NAME-1'],
  level: 'required',
  title: `A name with ${title} is refused with 400 and a proposal that is itself a valid name.`,
  cost: { 'first create': 1 },
  run: async (context) => {
    context.demand(checkInvalidName(await context.create({ name: of(context.name()) })).problems);
  },
}));

const USED: readonly [id: string, title: string, of: (free: string) => string][] = [
  ['uppercase', 'capital letters', (free) => `My Branch ${free}`],
  ['underscores', 'underscores', (free) => free.replaceAll('-', '_')],
  ['umlauts', 'letters outside ASCII', (free) => `Größe ${free}`],
];

const besideAnother: ServiceCase = {
  id: 'invalid-names/beside-another-field',
  clauses: ['BRANCH-CREATE-400-1', 'BRANCH-CREATE-400-4', 'ERROR-BODY-1', 'NAME-1'],
  level: 'required',
  title: 'An invalid name is refused with 400 also where the body has another field.',
  cost: { 'first create': 1 },
  run: async (context) => {
    const body = JSON.stringify({ other: 'x', name: context.name().replace('-', '_') });
    context.demand(checkInvalidName(await context.create(body)).problems);
  },
};

/** One at a time: services may propose the same name to two clients at once. */
const usable = USED.map(([id, title, of]): ServiceCase => ({
  id: `suggestions/usable-${id}`,
  clauses: ['PROFILE-SUGGESTION-1'],
  level: 'profile',
  title: `The name that is proposed for one with ${title} can be had.`,
  cost: { 'first create': 2 },
  run: (context) =>
    context.session.mutex.run('suggestions', async () => {
      const { problems, suggestion } = checkInvalidName(await context.create({ name: of(context.name()) }));
      context.demand(problems);
      // Some services propose the same to everybody: what this run itself has taken is not held against them.
      const taken = await context.share('proposals taken', () => Promise.resolve(new Set<string>()));
      if (taken.has(suggestion)) return;
      taken.add(suggestion);
      const answer = await context.create({ name: suggestion });
      const refusal = `The proposed name ${JSON.stringify(suggestion)} can't be had:`;
      context.demand(checkCreated(answer, suggestion).problems.map((problem) => `${refusal} ${problem}`));
    }),
}));

/** How invalid names are refused, and what is proposed instead. */
export const invalidNames: readonly ServiceCase[] = [
  {
    id: 'invalid-names/empty',
    clauses: ['BRANCH-CREATE-400-2', 'BRANCH-CREATE-400-4', 'ERROR-BODY-1', 'NAME-2'],
    level: 'required',
    title: 'An empty name is refused with 400 and a proposal.',
    cost: { 'first create': 1 },
    run: async (context) => {
      context.demand(checkInvalidName(await context.create({ name: '' })).problems);
    },
  },
  ...refused,
  besideAnother,
  {
    id: 'invalid-names/nothing-created',
    clauses: ['BRANCH-CREATE-400-1', 'BRANCH-CREATE-400-2'],
    level: 'required',
    title:
      'What is refused with 400 creates no branch, neither under the name that was asked nor under the proposed one.',
    cost: { 'first create': 4, 'first export': 2 },
    run: (context) =>
      context.session.mutex.run('suggestions', async () => {
        const before = new Set((await context.exportTable()).rows().map(({ branchId }) => branchId));
        const base = context.name();
        const asked = [`Not ${base}`, ` ${base}`, ''];
        const proposed: string[] = [];
        for (const name of asked) {
          const { problems, suggestion } = checkInvalidName(await context.create({ name }));
          context.demand(problems);
          proposed.push(suggestion);
        }
        const unwanted = new Set([...asked, ...proposed, base]);
        const added = (await context.exportTable()).rows().filter(({ branchId }) => !before.has(branchId));
        const created = added.filter(({ branchName }) => unwanted.has(branchName)).toArray();
        context.check(
          created.length === 0,
          `Requests were answered with 400, but branches appeared: ${created.map(({ branchName }) => JSON.stringify(branchName)).join(', ')}.`,
        );
        await context.createBranch(base);
      }),
  },
  {
    id: 'invalid-names/again',
    clauses: ['NAME-1', 'BRANCH-CREATE-400-1', 'BRANCH-CREATE-400-4'],
    level: 'required',
    title: 'An invalid name is refused with 400 however often it comes, and whichever account sends it.',
    cost: { 'first create': 2, 'second create': 1 },
    when: 'first',
    run: async (context) => {
      const name = `${context.name()}_x`;
      const { account, secondAccount } = context.session;
      for (const as of [account, account, secondAccount])
        if (as !== undefined) context.demand(checkInvalidName(await context.create({ name }, { as })).problems);
    },
  },
  {
    id: 'invalid-names/like-a-name-that-is-held',
    clauses: ['BRANCH-CREATE-400-1', 'BRANCH-CREATE-400-4'],
    level: 'required',
    title: 'An invalid name is answered with 400 also where it is like one that is held.',
    cost: { 'first create': 4 },
    run: async (context) => {
      const { branchName } = await context.createBranch();
      for (const like of [branchName.toUpperCase(), ` ${branchName}`, `${branchName}\n`]) {
        context.demand(checkInvalidName(await context.create({ name: like })).problems);
      }
    },
  },
  ...usable,
];
