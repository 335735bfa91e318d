import { type Behaviour, type Call, type Reply, basicCredentials, correct, kept } from '../service/behaviour.ts';
import type { Account } from '../service/world.ts';
import { type Fault, onFields, onReply } from '../fault.ts';

export const MISSING = ['BRANCH-CREATE-401-1', 'AUTHENTICATION-2'];
const INVALID = ['BRANCH-CREATE-401-2', 'AUTHENTICATION-2'];
const BY_EXPORT = ['AUTHENTICATION-1', 'SERVICE-5'];

/** Lets in calls that the correct service refuses. */
export const admits = (
  name: string,
  does: string,
  clauses: readonly string[],
  which: (call: Call) => boolean,
): Fault => ({
  name: `admits-${name}`,
  does: `admits ${does}`,
  breaks: clauses,
  change: () => ({
    accountOf: (call) => correct.accountOf(call) ?? (which(call) ? findOwner(call) : undefined),
  }),
});

/** Lets in calls on a connection over which good credentials came. */
const remembers = (name: string, does: string, clauses: readonly string[], which: (call: Call) => boolean): Fault => ({
  name: `remembers-${name}`,
  does: `remembers credentials for a connection: admits ${does}`,
  breaks: clauses,
  change: () => {
    const known = new WeakMap<object, Account>();
    return {
      accountOf: (call) => {
        const account = correct.accountOf(call);
        if (account !== undefined) known.set(call.connection, account);
        return account ?? (which(call) ? known.get(call.connection) : undefined);
      },
    };
  },
});

/** Whether credentials are good but for what follows them. */
function isLikeCredentials(call: Call, isOdd: (encoded: string) => boolean): boolean {
  const [, encoded = ''] = /^Basic (.+)$/.exec(call.headers.authorization ?? '') ?? [];
  const [beginning = ''] = encoded.split('=');
  return (
    isOdd(encoded) && correct.accountOf({ ...call, headers: { authorization: `Basic ${beginning}` } }) !== undefined
  );
}

/** Refuses calls that the correct service lets in. */
const refuses = (name: string, does: string, clause: string, which: (call: Call) => boolean): Fault => ({
  name,
  does,
  breaks: [clause],
  change: () => ({ accountOf: (call) => (which(call) ? undefined : correct.accountOf(call)) }),
});

const unauthorized = (name: string, does: string, clause: string, change: (reply: Reply) => Partial<Reply>): Fault => ({
  name,
  does,
  breaks: [clause],
  change: () => onReply('unauthorized', change),
});

/** Answers the refused calls of one kind with another status. */
const refusedWith = (
  name: string,
  does: string,
  clause: string,
  status: number,
  which: (call: Call) => boolean,
): Fault => ({
  name,
  does,
  breaks: [clause],
  change: () => ({
    reply: (reply, call) =>
      reply.kind === 'unauthorized' && call.operation === 'create' && which(call) ? { ...reply, status } : reply,
  }),
});

function findOwner({ world, workspaceId }: Call): Account | undefined {
  return world.accounts.find((account) => account.workspaceId === workspaceId);
}

function readCredentials(call: Call): [name: string, secret: string] {
  const text = basicCredentials(call.headers.authorization) ?? '';
  const colon = text.indexOf(':');
  return colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
}

const knownName = (call: Call): boolean => call.world.accounts.some(({ name }) => name === readCredentials(call)[0]);
const isMissing = ({ headers }: Call): boolean => headers.authorization === undefined;
const isBasic = ({ headers }: Call): boolean => /^basic /i.test(headers.authorization ?? '');

/** Does the work of a refused creation. */
const workAnyhow: Behaviour['reply'] = (reply, call) => {
  const name = correct.nameIn(call.body);
  const owner = findOwner(call);
  if (reply.kind === 'unauthorized' && call.operation === 'create' && name !== undefined && owner !== undefined) {
    kept(correct.newBranch(name, owner), call);
  }
  return reply;
};

/** Who may call. */
export const authentication: readonly Fault[] = [
  admits('anyone', 'everybody', MISSING, () => true),
  admits('anonymous', 'calls without credentials', MISSING, isMissing),
  admits(
    'anonymous-creation',
    'creations without credentials',
    MISSING,
    (call) => call.operation === 'create' && isMissing(call),
  ),
  admits(
    'anonymous-export',
    'exports without credentials',
    BY_EXPORT,
    (call) => call.operation === 'export' && isMissing(call),
  ),
  admits(
    'any-export',
    'exports with any credentials',
    BY_EXPORT,
    (call) => call.operation === 'export' && !isMissing(call),
  ),
  admits('wrong-secret', 'a known account with any secret', INVALID, knownName),
  admits(
    'empty-secret',
    'a known account with an empty secret',
    INVALID,
    (call) => knownName(call) && readCredentials(call)[1] === '',
  ),
  admits('unknown-account', 'unknown accounts', INVALID, (call) => isBasic(call) && !knownName(call)),
  admits('longer-secret', 'a secret with something after it', INVALID, (call) =>
    accountsLike(call, (given, secret) => given.startsWith(secret)),
  ),
  admits('secret-beginning', 'the part of a secret before its first colon', INVALID, (call) =>
    accountsLike(call, (given, secret) => given === secret.split(':')[0]),
  ),
  admits('secret-in-capitals', 'a secret in other case', INVALID, (call) =>
    accountsLike(call, (given, secret) => given.toLowerCase() === secret.toLowerCase()),
  ),
  admits('bearer', 'any bearer token', INVALID, ({ headers }) => /^bearer ./i.test(headers.authorization ?? '')),
  admits('any-scheme', 'good credentials under another scheme', INVALID, (call) => {
    const authorization = (call.headers.authorization ?? '').replace(/^\S+/, 'Basic');
    return correct.accountOf({ ...call, headers: { authorization } }) !== undefined;
  }),
  admits('unencoded', 'credentials that are not in Base64', INVALID, (call) => {
    const plain = (call.headers.authorization ?? '').replace(/^basic /i, '');
    return call.world.accounts.some(({ name, secret }) => `${name}:${secret}` === plain);
  }),
  admits('secret-in-any-order', 'the characters of a secret in any order', INVALID, (call) =>
    accountsLike(call, (given, secret) => sorted(given) === sorted(secret)),
  ),
  admits('other-accounts-secret', 'the name of one account with the secret of another', INVALID, (call) => {
    const [, secret] = readCredentials(call);
    return knownName(call) && call.world.accounts.some((account) => account.secret === secret);
  }),
  admits('secret-by-eight', 'a secret that begins with the right eight characters', INVALID, (call) =>
    accountsLike(call, (given, secret) => given.slice(0, 8) === secret.slice(0, 8)),
  ),
  admits('shorter-secret', 'a secret that the right one begins with', INVALID, (call) =>
    accountsLike(call, (given, secret) => given !== '' && secret.startsWith(given)),
  ),
  admits('trimmed-secret', 'a secret with a space after it', INVALID, (call) =>
    accountsLike(call, (given, secret) => given.trim() === secret),
  ),
  admits('secret-up-to-null', 'a secret with a null character after it', INVALID, (call) =>
    accountsLike(call, (given, secret) => given.split('\0')[0] === secret),
  ),
  {
    name: 'admits-known-names-later',
    does: 'admits a known account with any secret once it was let in',
    breaks: INVALID,
    change: () => {
      const letIn = new Set<string>();
      return {
        accountOf: (call) => {
          const [name] = readCredentials(call);
          const account = correct.accountOf(call);
          if (account !== undefined) letIn.add(name);
          return letIn.has(name) ? findOwner(call) : account;
        },
      };
    },
  },
  remembers('connection', 'every later call on a connection with good ones', INVALID, () => true),
  remembers('connection-without-header', 'calls without credentials on such a connection', MISSING, isMissing),
  remembers(
    'connection-of-exports',
    'exports on such a connection',
    BY_EXPORT,
    ({ operation }) => operation === 'export',
  ),
  admits('secret-and-line-feed', 'a secret with a line feed after it', INVALID, (call) =>
    accountsLike(call, (given, secret) => given === `${secret}\n`),
  ),
  admits('secret-and-tab', 'a secret with a tab after it', INVALID, (call) =>
    accountsLike(call, (given, secret) => given === `${secret}\t`),
  ),
  admits('after-padding', 'Base64 that goes on after its padding', INVALID, (call) =>
    isLikeCredentials(call, (encoded) => /^[A-Za-z0-9+/]*=+[A-Za-z0-9+/=]+$/.test(encoded)),
  ),
  admits('garbage-after-padding', 'anything after the padding of Base64', INVALID, (call) =>
    isLikeCredentials(call, (encoded) => /=./.test(encoded)),
  ),
  admits('scheme-missing', 'good credentials without a scheme', INVALID, (call) => {
    const authorization = `Basic ${call.headers.authorization}`;
    return correct.accountOf({ ...call, headers: { authorization } }) !== undefined;
  }),
  admits(
    'export-longer-secret',
    'exports with a secret and something after it',
    BY_EXPORT,
    (call) => call.operation === 'export' && accountsLike(call, (given, secret) => given.startsWith(secret)),
  ),
  admits(
    'export-bearer',
    'exports with any bearer token',
    BY_EXPORT,
    (call) => call.operation === 'export' && /^bearer ./i.test(call.headers.authorization ?? ''),
  ),
  {
    name: 'splits-at-last-colon',
    does: 'splits credentials at their last colon',
    breaks: ['AUTHENTICATION-1'],
    change: () => ({
      accountOf: (call) => {
        const text = basicCredentials(call.headers.authorization) ?? '';
        const colon = text.lastIndexOf(':');
        return call.world.accounts.find(
          ({ name, secret }) => name === text.slice(0, colon) && secret === text.slice(colon + 1),
        );
      },
    }),
  },
  refuses('cuts-secret-at-colon', 'takes a secret only up to its first colon', 'AUTHENTICATION-1', (call) =>
    readCredentials(call)[1].includes(':'),
  ),
  refuses(
    'header-in-lower-case-unknown',
    'knows the header only as "Authorization"',
    'BRANCH-CREATE-REQUEST-2',
    ({ rawHeaders }) => !rawHeaders.includes('Authorization'),
  ),
  refuses(
    'scheme-upper-case',
    'knows the scheme only as "BASIC"',
    'BRANCH-CREATE-REQUEST-2',
    ({ headers }) => !(headers.authorization ?? '').startsWith('BASIC'),
  ),
  refuses(
    'one-account-a-workspace',
    'knows only the first account of a workspace',
    'AUTHENTICATION-1',
    (call) => correct.accountOf(call) !== findOwner(call),
  ),
  refuses('export-refused', 'refuses every export', 'EXPORT-REQUEST-2', ({ operation }) => operation === 'export'),
  refusedWith('missing-403', 'answers 403 where the header is missing', 'BRANCH-CREATE-401-1', 403, isMissing),
  refusedWith('missing-400', 'answers 400 where the header is missing', 'BRANCH-CREATE-401-1', 400, isMissing),
  refusedWith('missing-500', 'answers 500 where the header is missing', 'BRANCH-CREATE-401-1', 500, isMissing),
  refusedWith(
    'wrong-secret-403',
    'answers 403 to a wrong secret',
    'BRANCH-CREATE-401-2',
    403,
    (call) => isBasic(call) && knownName(call),
  ),
  refusedWith(
    'unknown-account-404',
    'answers 404 to an unknown account',
    'BRANCH-CREATE-401-2',
    404,
    (call) => isBasic(call) && !knownName(call),
  ),
  refusedWith(
    'other-scheme-400',
    'answers 400 to another scheme',
    'BRANCH-CREATE-401-2',
    400,
    (call) => !isMissing(call) && !isBasic(call),
  ),
  refusedWith(
    'not-base64-500',
    'answers 500 to credentials that are not in Base64',
    'BRANCH-CREATE-401-2',
    500,
    (call) => isBasic(call) && basicCredentials(call.headers.authorization) === undefined,
  ),
  refusedWith(
    'no-colon-500',
    'answers 500 to credentials without a colon',
    'BRANCH-CREATE-401-2',
    500,
    (call) => basicCredentials(call.headers.authorization)?.includes(':') === false,
  ),
  unauthorized(
    'unauthorized-302',
    'answers missing credentials with the way to a sign-in page',
    'BRANCH-CREATE-401-1',
    () => ({ status: 302, headers: { location: 'https://plans.example/sign-in' }, body: '' }),
  ),
  unauthorized('unauthorized-lower-case', 'says "unauthorized"', 'BRANCH-CREATE-401-3', () => ({
    body: { error: 'unauthorized' },
  })),
  unauthorized('unauthorized-says-more', 'says what is wrong with the credentials', 'BRANCH-CREATE-401-3', () => ({
    body: { error: 'Unauthorized: the secret is wrong' },
  })),
  unauthorized('unauthorized-space', 'says "Unauthorized "', 'BRANCH-CREATE-401-3', () => ({
    body: { error: 'Unauthorized ' },
  })),
  unauthorized('unauthorized-object', 'gives the error of a 401 as an object', 'BRANCH-CREATE-401-3', () => ({
    body: { error: { message: 'Unauthorized' } },
  })),
  unauthorized('unauthorized-array', 'answers 401 with an array', 'BRANCH-CREATE-401-3', () => ({
    body: JSON.stringify([{ error: 'Unauthorized' }]),
  })),
  unauthorized('unauthorized-no-body', 'answers 401 without a body', 'BRANCH-CREATE-401-3', () => ({ body: '' })),
  unauthorized('unauthorized-html', 'answers 401 with a page', 'BRANCH-CREATE-401-3', () => ({
    headers: { 'content-type': 'text/html' },
    body: '<h1>Unauthorized</h1>',
  })),
  {
    name: 'unauthorized-message-field',
    does: 'calls the field of a 401 "message"',
    breaks: ['ERROR-BODY-1'],
    change: () => onFields('unauthorized', ({ error }) => ({ message: error, error: undefined })),
  },
  {
    name: 'always-429',
    does: 'answers every call with 429',
    breaks: ['LIMITS-RATE-1'],
    change: () => ({ limit: () => ({ kind: 'limited', status: 429, headers: { 'retry-after': '0' }, body: '' }) }),
  },
  {
    name: 'creates-despite-401',
    does: 'answers 401 and creates the branch',
    breaks: INVALID,
    change: () => ({ reply: workAnyhow }),
  },
];

function sorted(text: string): string {
  return Array.from(text).toSorted().join('');
}

/** Whether a known account's secret is like the one that is given. */
function accountsLike(call: Call, alike: (given: string, secret: string) => boolean): boolean {
  const [given, offered] = readCredentials(call);
  return call.world.accounts.some(({ name, secret }) => name === given && alike(offered, secret));
}
