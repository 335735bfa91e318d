import { randomUUID } from 'node:crypto';
import { correct } from '../service/behaviour.ts';
import { type Difference, onFields, onReply } from '../fault.ts';

const ids = (name: string, does: string, id: () => string): Difference => ({
  name: `ids-${name}`,
  does: `gives ${does} for ids`,
  change: () => ({
    newBranch: (name, account) => ({ ...correct.newBranch(name, account), id: id() }),
    urlOf: ({ id }, workspaceId) => `https://plans.example/schemas/${workspaceId}/branches/${encodeURIComponent(id)}`,
  }),
});

const url = (name: string, does: string, origin: string): Difference => ({
  name: `url-${name}`,
  does: `gives branchUrl ${does}`,
  change: () => ({ urlOf: ({ id }, workspaceId) => `${origin}/schemas/${workspaceId}/branches/${id}` }),
});

const every = ['created', 'invalid', 'conflict', 'unauthorized', 'foreign'] as const;

const json = (name: string, does: string, write: (body: unknown) => string): Difference => ({
  name: `json-${name}`,
  does,
  change: () => onReply(every, ({ body }) => ({ body: write(body) })),
});

const typed = (name: string, does: string, headers: Record<string, string>): Difference => ({
  name: `json-${name}`,
  does,
  change: () => onReply(every, () => ({ headers })),
});

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

let counter = 1_000;

/** What the documents leave open about creations and JSON. */
export const creation: readonly Difference[] = [
  ids('numbers', 'numbers as strings', () => String((counter += 1))),
  ids('uuids', 'UUIDs', randomUUID),
  ids(
    'ulids',
    'ULIDs',
    () => `01J${Array.from({ length: 23 }, () => 'ABCDEFGHJKMNPQRSTVWXYZ'.charAt(Math.random() * 22)).join('')}`,
  ),
  ids('odd', 'text with commas, quotes and spaces', () => `b, "${randomUUID().slice(0, 6)}" é`),
  ids('short', 'short numbers', () => String((counter += 1) - 1_000)),
  ids('like-timestamps', 'timestamps', () => new Date(Date.now() + (counter += 1)).toISOString()),
  ids('base64', 'text that must be encoded in a URL', () => `b+/${randomUUID().slice(0, 6)}==`),
  url('with-port', 'with a port', 'https://plans.example:8443'),
  url('with-address', 'with an IPv6 address', 'https://[2001:db8::1]'),
  {
    name: 'url-with-query',
    does: 'gives branchUrl with a query',
    change: () => ({
      urlOf: ({ id }, workspaceId) => `https://plans.example/schemas/${workspaceId}/branches/${id}?from=api`,
    }),
  },
  url('with-capitals', 'with capitals in the host', 'https://Plans.Example'),
  json('indented', 'indents JSON', (body) => `${JSON.stringify(body, null, '\t')}\n`),
  json('all-escaped', 'escapes every letter in JSON', (body) =>
    JSON.stringify(body).replaceAll(/[a-z](?=[^"]*"(?:[^"]*"[^"]*")*[^"]*$)/gi, escaped),
  ),
  json('other-order', 'orders keys otherwise', (body) =>
    JSON.stringify(Object.fromEntries(Object.entries(Object(body)).toReversed())),
  ),
  json('escaped', 'escapes slashes and quotes in JSON by other means', (body) =>
    JSON.stringify(body)
      .replaceAll('/', String.raw`\/`)
      .replaceAll(String.raw`\"`, String.raw`\u0022`),
  ),
  typed('charset', 'names the charset of JSON', { 'content-type': 'application/json;charset=UTF-8' }),
  typed('vendor-type', 'gives JSON a media type of its own', { 'content-type': 'application/vnd.plans.v1+json' }),
  {
    name: 'created-untyped',
    does: 'names no media type for creations',
    change: () => onReply('created', () => ({ headers: {} })),
  },
  typed('more-headers', 'sends more headers', {
    'Content-Type': 'application/json',
    'X-Request-Id': randomUUID(),
    'Set-Cookie': `session=${'s'.repeat(3_000)}; HttpOnly`,
    'RateLimit-Limit': '1',
    'Strict-Transport-Security': 'max-age=63072000',
  }),
  {
    name: 'more-fields',
    does: 'answers creations with more fields',
    change: () =>
      onFields('created', ({ branchName }) => ({
        branchStatus: 'Draft',
        name: branchName,
        links: [{ rel: 'self' }],
        draft: true,
      })),
  },
  {
    name: 'created-location',
    does: 'says where the new branch is',
    change: () =>
      onReply('created', ({ headers, body }) => ({
        headers: { ...headers, location: String(Object(body).branchUrl) },
      })),
  },
];
