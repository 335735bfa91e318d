import type { Answer } from '../../engine/http/client.ts';
import { type Account, encodeBasic, encodeBase64 } from '../account.ts';
import type { ServiceCase } from '../case.ts';
import { UNAUTHORIZED, checkCreated, checkError } from '../documented.ts';
import type { Session } from '../session.ts';
import type { ServiceContext } from '../context.ts';

type Header = readonly [string, string];

/** A wrong `authorization` header, or another one in its place; `undefined` where a session gives no occasion for it. */
interface Wrong {
  readonly id: string;
  readonly title: string;
  readonly header: (session: Session) => Header | undefined;
  /** Sent with the URL. */
  readonly query?: (session: Session) => string;
}

const wrong = (
  id: string,
  title: string,
  value: (account: Account, session: Session) => string | undefined,
): Wrong => ({
  id,
  title,
  header: (session) => {
    const text = value(session.account, session);
    return text === undefined ? undefined : ['authorization', text];
  },
});

const changed = (id: string, title: string, change: (secret: string) => string): Wrong =>
  wrong(id, title, ({ name, secret }) => {
    const other = change(secret);
    return other === secret ? undefined : encodeBasic({ name, secret: other });
  });

const WRONG_SECRET = wrong('wrong-secret', 'a wrong secret', ({ name }) =>
  encodeBasic({ name, secret: 'not-the-secret' }),
);

const MISSING: Wrong = { id: 'missing', title: 'no authorization header', header: () => ['accept-language', 'en'] };

const inHeader = (id: string, name: string): Wrong => ({
  id,
  title: `good credentials in the header ${name}`,
  header: ({ account }) => [name, encodeBasic(account)],
});

/** Good credentials in other places, while the header is missing. */
const ELSEWHERE: readonly Wrong[] = [
  inHeader('api-key-header', 'x-api-key'),
  inHeader('other-header', 'proxy-authorization'),
  inHeader('x-authorization-header', 'x-authorization'),
  {
    id: 'in-query',
    title: 'good credentials in the query',
    header: MISSING.header,
    query: ({ account }) =>
      ['authorization', 'Authorization'].map((name) => `${name}=${encodeURIComponent(encodeBasic(account))}`).join('&'),
  },
];

const INVALID: readonly Wrong[] = [
  WRONG_SECRET,
  wrong('unknown-account', 'an account that nobody knows', ({ secret }) =>
    encodeBasic({ name: 'nobody-at-all', secret }),
  ),
  changed('empty-secret', 'an empty secret', () => ''),
  changed('longer-secret', 'the secret and something after it', (secret) => `${secret}x`),
  changed('secret-and-space', 'the secret and a space after it', (secret) => `${secret} `),
  changed('secret-and-null', 'the secret and a null character after it', (secret) => `${secret}\0`),
  changed('secret-and-line-feed', 'the secret and a line feed after it', (secret) => `${secret}\n`),
  changed('secret-and-tab', 'the secret and a tab after it', (secret) => `${secret}\t`),
  wrong('after-padding', 'something after the Base64 of good credentials', (account) => `${padded(account)}YQ==`),
  wrong('after-padding-text', 'letters that are no Base64 after good credentials', (account) => `${padded(account)}!x`),
  changed('shorter-secret', 'the secret without its last character', (secret) => secret.slice(0, -1)),
  wrong('secret-before-colon', 'only what stands before the colon of a secret', (_, { options }) => {
    const account = options.accounts.find(({ secret }) => secret.includes(':'));
    return account && encodeBasic({ name: account.name, secret: account.secret.split(':')[0] ?? '' });
  }),
  changed('same-length', 'another secret of the same length', (secret) => secret.replaceAll(/[^x]/g, 'x')),
  changed('same-beginning', 'a secret that begins alike', (secret) => secret.slice(0, -1).padEnd(secret.length, 'x')),
  changed('secret-backwards', 'the secret backwards', (secret) => Array.from(secret).toReversed().join('')),
  changed('secret-in-other-case', 'the secret in other case', swapCase),
  wrong('other-accounts-secret', 'the secret of another account', ({ name, secret }, { secondAccount }) =>
    secondAccount === undefined || secondAccount.secret === secret
      ? undefined
      : encodeBasic({ name, secret: secondAccount.secret }),
  ),
  wrong('name-in-secrets-place', 'secret and name the other way round', ({ name, secret }) =>
    name === secret ? undefined : encodeBasic({ name: secret, secret: name }),
  ),
  wrong('no-colon', 'a name without a colon', ({ name }) => `Basic ${encodeBase64(name)}`),
  wrong('only-colon', 'neither name nor secret', () => `Basic ${encodeBase64(':')}`),
  wrong('no-credentials', 'the scheme alone', () => 'Basic'),
  wrong('empty', 'nothing as its value', () => ''),
  wrong('not-base64', 'something that is no Base64', () => 'Basic !!!not-base64!!!'),
  wrong('name-in-other-case', 'the name in other case', ({ name, secret }) => {
    const other = swapCase(name);
    return other === name ? undefined : encodeBasic({ name: other, secret });
  }),
  wrong('name-as-secret', 'the name as secret', ({ name, secret }) =>
    name === secret ? undefined : encodeBasic({ name, secret: name }),
  ),
  wrong('blank-in-base64', 'a blank within the Base64 of good credentials', (account) =>
    encodeBasic(account).replace(/.{8}$/, ' $&'),
  ),
  wrong('second-word', 'a word after good credentials', (account) => `${encodeBasic(account)} x`),
  wrong('no-blank', 'no blank between the scheme and good credentials', (account) =>
    encodeBasic(account).replace(' ', ''),
  ),
  wrong('junk-in-base64', 'characters that are no Base64 within that of good credentials', (account) =>
    encodeBasic(account).replace(/.{8}$/, '!$&'),
  ),
  wrong('cut-base64', 'the Base64 of good credentials without its end', (account) =>
    encodeBasic(account).replace(/=*$/, '').slice(0, -2),
  ),
  wrong(
    'encoded-twice',
    'good credentials in Base64 twice',
    ({ name, secret }) => `Basic ${encodeBase64(encodeBase64(`${name}:${secret}`))}`,
  ),
  wrong(
    'hexadecimal',
    'good credentials in hexadecimal',
    ({ name, secret }) => `Basic ${Buffer.from(`${name}:${secret}`).toString('hex')}`,
  ),
  wrong('unencoded', 'name and secret without Base64', ({ name, secret }) => onlyVisible(`Basic ${name}:${secret}`)),
  wrong('without-scheme', 'good credentials without a scheme', (account) => encodeBasic(account).replace('Basic ', '')),
  wrong('bearer', 'good credentials under the scheme Bearer', (account) => encodeBasic(account, 'Bearer')),
  wrong('other-scheme', 'good credentials under another scheme', (account) => encodeBasic(account, 'Digest')),
  wrong('scheme-prefix', 'good credentials under a scheme that only begins alike', (account) =>
    encodeBasic(account, 'Basics'),
  ),
];

/** Why nothing that a service remembers for a connection can be looked for. */
export const CLOSED = 'The service closes connections between requests, so that it can remember nothing for one.';

const refusedByCreate = (wrong: Wrong, clauses: [string, ...string[]]): ServiceCase => ({
  id: `authentication/create-${wrong.id}`,
  clauses,
  level: 'required',
  title: `Create Branch with ${wrong.title} is answered with 401 and "Unauthorized".`,
  cost: { 'nobody create': 1 },
  run: async (context) => {
    const answer = await context.create({ name: context.name() }, asNobody(context, wrong, 'create'));
    context.demand(checkError(answer, 401, UNAUTHORIZED));
  },
});

const refusedByExport = (wrong: Wrong): ServiceCase => ({
  id: `authentication/export-${wrong.id}`,
  clauses: ['AUTHENTICATION-1', 'SERVICE-5'],
  level: 'required',
  title: `Export Branch Stats with ${wrong.title} does not succeed.`,
  cost: { 'nobody export': 1 },
  run: async (context) => {
    context.demand(checkExportRefused(await context.export(asNobody(context, wrong, 'export'))));
  },
});

/** Who may call. */
export const authentication: readonly ServiceCase[] = [
  ...[MISSING, ...ELSEWHERE].map((one) =>
    refusedByCreate(one, ['BRANCH-CREATE-401-1', 'BRANCH-CREATE-401-3', 'AUTHENTICATION-2', 'ERROR-BODY-1']),
  ),
  ...INVALID.map((one) =>
    refusedByCreate(one, ['BRANCH-CREATE-401-2', 'BRANCH-CREATE-401-3', 'AUTHENTICATION-2', 'ERROR-BODY-1']),
  ),
  ...[MISSING, ...ELSEWHERE, ...INVALID].map(refusedByExport),
  {
    id: 'authentication/cookies',
    clauses: ['AUTHENTICATION-1', 'AUTHENTICATION-2', 'BRANCH-CREATE-401-1', 'SERVICE-5'],
    level: 'required',
    title: 'No cookie stands in for the header: neither those that the service has set, nor one with good credentials.',
    cost: { 'first create': 1, 'nobody create': 1, 'nobody export': 1 },
    run: async (context) => {
      const name = context.name();
      const welcome = await context.create({ name });
      context.demand(checkCreated(welcome, name).problems);
      const set = welcome.headers
        .filter(([header]) => header === 'set-cookie')
        .map(([, cookie]) => cookie.split(';')[0]);
      const own = `authorization=${encodeURIComponent(encodeBasic(context.session.account))}`;
      const cookies: Pick<Wrong, 'header'> = { header: () => ['cookie', [...set, own].join('; ')] };
      const created = await context.create({ name: context.name() }, asNobody(context, cookies, 'create'));
      context.demand(checkError(created, 401, UNAUTHORIZED));
      context.demand(checkExportRefused(await context.export(asNobody(context, cookies, 'export'))));
    },
  },
  {
    id: 'authentication/nothing-created',
    clauses: ['AUTHENTICATION-2', 'BRANCH-CREATE-401-1', 'BRANCH-CREATE-401-2'],
    level: 'required',
    title: 'What is answered with 401 creates nothing: the name is still free.',
    cost: { 'nobody create': 2, 'first create': 2 },
    run: async (context) => {
      const wrongSecret: Header = [
        'authorization',
        encodeBasic({ ...context.session.account, secret: 'not-the-secret' }),
      ];
      for (const header of [undefined, wrongSecret]) {
        const name = context.name();
        const answer = await context.create(
          { name },
          asNobody(context, header === undefined ? MISSING : { header: () => header }, 'create'),
        );
        context.demand(checkError(answer, 401, UNAUTHORIZED));
        await context.createBranch(name);
      }
    },
  },
  {
    id: 'authentication/on-a-kept-connection',
    clauses: ['AUTHENTICATION-1', 'AUTHENTICATION-2', 'BRANCH-CREATE-401-1', 'BRANCH-CREATE-401-2', 'SERVICE-5'],
    level: 'required',
    title: 'Each request is judged by credentials of its own, whatever came before on its connection.',
    cost: { 'first create': 3, 'first export': 1, 'nobody create': 2, 'nobody export': 2 },
    run: (context) =>
      context.overOneConnection(async (transport) => {
        await context.createBranch(context.name(), { transport });
        await context.exportTable({ transport });
        for (const wrong of [WRONG_SECRET, MISSING]) {
          const created = await context.create(
            { name: context.name() },
            { ...asNobody(context, wrong, 'create'), transport },
          );
          if (created.isReused !== true) context.skip(CLOSED);
          context.demand(checkError(created, 401, UNAUTHORIZED));
          await context.createBranch(context.name(), { transport });
          const exported = await context.export({ ...asNobody(context, wrong, 'export'), transport });
          if (exported.isReused !== true) context.skip(CLOSED);
          context.demand(checkExportRefused(exported));
        }
      }),
  },
  {
    id: 'authentication/secret-with-colon',
    clauses: ['AUTHENTICATION-1'],
    level: 'required',
    title: 'A secret may hold colons: the account is known by the whole of it.',
    cost: { 'first create': 1, 'first export': 1 },
    run: async (context) => {
      const { account, secondAccount } = context.session;
      const as = [account, secondAccount].find((one) => one?.secret.includes(':'));
      if (as === undefined) return context.skip('No secret of the accounts that were given holds a colon.');
      await context.createBranch(context.name(), { as });
      await context.exportTable({ as });
    },
  },
];

function checkExportRefused({ status }: Answer): string[] {
  return status < 200 || status > 299 ? [] : [`The export must be refused, but was answered with status ${status}.`];
}

function asNobody(context: ServiceContext, { header, query }: Pick<Wrong, 'header' | 'query'>, operation: string) {
  const value =
    header(context.session) ?? context.skip('The accounts that were given leave no such credentials to be made.');
  const headers: [string, string][] = [[...value], ['content-type', 'application/json']];
  return { headers, lane: `nobody ${operation}`, query: query?.(context.session) };
}

/** Good credentials, ended by padding: what follows is no Base64 of theirs any more. */
function padded(account: Account): string {
  return `${encodeBasic(account).replace(/=*$/, '')}==`;
}

/** Each letter in its other case. */
function swapCase(text: string): string {
  return Array.from(text, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');
}

/** The text, if a header can hold it unchanged. */
function onlyVisible(text: string): string | undefined {
  return /^[\u0020-\u007e]*$/.test(text) ? text : undefined;
}
