import { type Call, type Reply, correct } from '../service/behaviour.ts';
import { type Difference, onReply } from '../fault.ts';

const foreign = (status: number): Difference => ({
  name: `foreign-workspace-${status}`,
  does: `answers ${status} for a workspace of others`,
  change: () => onReply('foreign', () => ({ status, body: { error: 'Unauthorized' } })),
});

const exportRefused = (status: number, change: Partial<Reply>): Difference => ({
  name: `export-refused-${status}`,
  does: `answers an export without good credentials with ${status}`,
  change: () => ({
    reply: (reply, { operation }) =>
      reply.kind === 'unauthorized' && operation === 'export' ? { ...reply, ...change, status } : reply,
  }),
});

/** Answers 429 to every third call. */
const limits = (
  name: string,
  does: string,
  headers: () => Record<string, string>,
  body: Reply['body'] = '',
  status = 429,
): Difference => ({
  name: `limits-${name}`,
  does: `answers every third call with 429, ${does}`,
  change: () => {
    let count = 0;
    return {
      limit: () => ((count += 1) % 3 === 0 ? { kind: 'limited', status, headers: headers(), body } : undefined),
    };
  },
});

/** Allows each account so many calls of an operation within a second, whenever that begins. */
const hardLimit = (perSecond: number): Difference => ({
  name: 'limits-hard',
  does: `answers 429 after ${perSecond} calls in a second`,
  change: () => {
    const seen = new Map<string, number[]>();
    return {
      limit: (call) => {
        const key = `${call.operation} ${call.headers.authorization ?? ''}`;
        const now = Date.now();
        const recent = (seen.get(key) ?? []).filter((time) => now - time < 1_000);
        const limited = recent.length >= perSecond;
        seen.set(key, limited ? recent : [...recent, now]);
        if (!limited) return undefined;
        return { kind: 'limited', status: 429, headers: { 'retry-after': '1' }, body: 'Slow down' };
      },
    };
  },
});

/** The documents do not say in which order a call is checked. */
const bodyFirst = (call: Call): boolean => call.operation === 'create' && correct.nameIn(call.body) === undefined;

/** What the documents leave open about access and limits. */
export const access: readonly Difference[] = [
  foreign(401),
  foreign(404),
  {
    name: 'accounts-of-all-workspaces',
    does: 'lets every account into every workspace',
    change: () => ({ mayUse: () => true }),
  },
  exportRefused(403, {}),
  exportRefused(404, { headers: { 'content-type': 'text/html' }, body: '<h1>Not found</h1>' }),
  exportRefused(302, { headers: { location: 'https://plans.example/sign-in' }, body: '' }),
  {
    name: 'challenge',
    does: 'sends a challenge with 401',
    change: () =>
      onReply('unauthorized', ({ headers }) => ({
        headers: { ...headers, 'www-authenticate': 'Basic realm="plans"' },
      })),
  },
  {
    name: 'scheme-as-written',
    does: 'knows the scheme only as "Basic"',
    change: () => ({
      accountOf: (call) =>
        call.headers.authorization?.startsWith('Basic ') === true ? correct.accountOf(call) : undefined,
    }),
  },
  {
    name: 'body-before-credentials',
    does: 'checks the body before the credentials',
    change: () => ({
      accountOf: (call) =>
        correct.accountOf(call) ??
        (bodyFirst(call) ? call.world.accounts.find(({ workspaceId }) => workspaceId === call.workspaceId) : undefined),
    }),
  },
  {
    name: 'name-before-credentials',
    does: 'checks the name before the credentials',
    change: () => ({
      accountOf: (call) => {
        const asked = correct.nameIn(call.body);
        const bad = call.operation === 'create' && (asked === undefined || !correct.isValidName(asked));
        return (
          correct.accountOf(call) ??
          (bad ? call.world.accounts.find(({ workspaceId }) => workspaceId === call.workspaceId) : undefined)
        );
      },
    }),
  },
  {
    name: 'bearer-tokens-too',
    does: 'takes bearer tokens of its own too',
    change: () => ({
      accountOf: (call) => {
        const [, token] = /^Bearer (.+)$/.exec(call.headers.authorization ?? '') ?? [];
        return token === undefined
          ? correct.accountOf(call)
          : call.world.accounts.find(({ name, secret }) => token === `${name}.${secret}`);
      },
    }),
  },
  limits('at-once', 'with Retry-After: 0', () => ({ 'retry-after': '0' })),
  limits(
    'by-date',
    'with a date for Retry-After',
    () => ({ 'retry-after': new Date().toUTCString() }),
    '<h1>Too many requests</h1>',
  ),
  limits('by-words', 'with words for Retry-After', () => ({ 'retry-after': 'soon' })),
  limits('in-the-past', 'with a Retry-After that is over', () => ({ 'retry-after': '-5' })),
  limits('without-a-word', 'and does not say when to come back', () => ({})),
  limits('by-503', 'or rather 503 with Retry-After', () => ({ 'retry-after': '0' }), 'Busy', 503),
  hardLimit(20),
  {
    name: 'limits-by-delay',
    does: 'lets calls that come too fast wait',
    change: () => {
      const last = new Map<string, number>();
      return {
        deliver: (reply, response, call) => {
          const key = `${call.operation} ${call.headers.authorization ?? ''}`;
          const at = Math.max(Date.now(), (last.get(key) ?? 0) + 10);
          last.set(key, at);
          setTimeout(() => correct.deliver(reply, response, call), Math.max(0, at - Date.now()));
        },
      };
    },
  },
  {
    name: 'limits-by-header',
    does: 'says of each answer how much of the rate is left',
    change: () => ({
      reply: (reply) => ({ ...reply, headers: { ...reply.headers, 'x-ratelimit-remaining': '0', 'retry-after': '1' } }),
    }),
  },
  {
    name: 'conflict-before-credentials',
    does: 'looks whether a name is held before it looks at the credentials',
    change: () => ({
      reply: (reply, call) => {
        const name = correct.nameIn(call.body);
        const held = reply.kind === 'unauthorized' && name !== undefined && correct.rivals(name, call).length > 0;
        return held
          ? { ...reply, kind: 'conflict', status: 409, body: { error: 'Branch with this name already exists' } }
          : reply;
      },
    }),
  },
];
