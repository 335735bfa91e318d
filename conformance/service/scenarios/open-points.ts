import { findHeader } from '../../engine/http/client.ts';
import { buildPath } from '../../engine/http/path.ts';
import { encodeBasic } from '../account.ts';
import type { ServiceCase } from '../case.ts';
import { readText } from '../documented.ts';
import { checkExport } from '../export-table.ts';
import type { ServiceContext } from '../context.ts';

/** A request about which the documents say nothing, and what it was answered with. */
const asked = (
  id: string,
  clause: string,
  title: string,
  cost: ServiceCase['cost'],
  run: (context: ServiceContext) => Promise<string>,
): ServiceCase => ({ id: `open/${id}`, clauses: [clause], level: 'observed', title, cost, run });

/** Names that may or may not be kebab case. */
const EDGES: readonly [id: string, title: string, of: (free: string) => string][] = [
  ['leading-hyphen', 'a hyphen at its begin', (free) => `-${free}`],
  ['trailing-hyphen', 'a hyphen at its end', (free) => `${free}-`],
  ['double-hyphen', 'two hyphens in a row', (free) => free.replace('-', '--')],
];
const LENGTHS = [64, 255, 256, 1_000];

const BODIES: readonly [id: string, title: string, type: string | undefined, of: (name: string) => string][] = [
  ['more-fields', 'a field that nobody knows', 'application/json', (name) => JSON.stringify({ name, more: 1 })],
  ['same-field-twice', 'the field "name" twice', 'application/json', (name) => `{"name":"${name}-a","name":"${name}"}`],
  ['byte-order-mark', 'a byte order mark before the JSON', 'application/json', (name) => `\uFEFF{"name":"${name}"}`],
  ['charset', 'a charset in its Content-Type', 'application/json; charset=utf-8', (name) => JSON.stringify({ name })],
  ['text-plain', 'the media type text/plain', 'text/plain', (name) => JSON.stringify({ name })],
  ['no-type', 'no Content-Type', undefined, (name) => JSON.stringify({ name })],
  ['form', 'a form instead of JSON', 'application/x-www-form-urlencoded', (name) => `name=${name}`],
];

/** What the documents leave open about requests: tried and shown, never judged. */
export const openPoints: readonly ServiceCase[] = [
  ...EDGES.map(([id, title, of]) =>
    asked(
      `name-${id}`,
      'NAME-OPEN-2',
      `A name with ${title}.`,
      { 'first create': 1 },
      async (context) => `Status ${(await context.create({ name: of(context.name()) })).status}.`,
    ),
  ),
  asked('name-length', 'NAME-OPEN-1', 'Long names.', { 'first create': LENGTHS.length }, async (context) => {
    const seen: string[] = [];
    for (const length of LENGTHS) {
      const { status } = await context.create({ name: `${context.name()}-`.padEnd(length, 'x') });
      seen.push(`${length} characters: ${status}`);
    }
    return `${seen.join(', ')}.`;
  }),
  ...BODIES.map(([id, title, type, of]) =>
    asked(`body-${id}`, 'BRANCH-CREATE-OPEN-1', `A body with ${title}.`, { 'first create': 1 }, async (context) => {
      const typed: [string, string][] = type === undefined ? [] : [['content-type', type]];
      const headers: [string, string][] = [['authorization', encodeBasic(context.session.account)], ...typed];
      return `Status ${(await context.create(of(context.name()), { headers })).status}.`;
    }),
  ),
  asked(
    'creation-answer',
    'BRANCH-CREATE-OPEN-2',
    'What else a creation is answered with.',
    { 'first create': 1 },
    async (context) => {
      const answer = await context.create({ name: context.name() });
      const names = answer.headers.map(([name]) => name).toSorted();
      return `Media type ${findHeader(answer, 'content-type') ?? 'none'}; headers ${[...new Set(names)].join(', ')}; body ${readText(answer).slice(0, 300)}`;
    },
  ),
  asked(
    'scheme-in-lower-case',
    'AUTHENTICATION-OPEN-2',
    'The scheme written "basic".',
    { 'first export': 1 },
    async (context) => {
      const headers: [string, string][] = [['authorization', encodeBasic(context.session.account, 'basic')]];
      return `Status ${(await context.export({ headers })).status}.`;
    },
  ),
  asked(
    'one-account-both-operations',
    'AUTHENTICATION-OPEN-1',
    'Whether one account may call both operations.',
    { 'first create': 1, 'first export': 1 },
    async (context) => {
      const created = await context.create({ name: context.name() });
      return `Create Branch ${created.status}, Export Branch Stats ${(await context.export()).status}.`;
    },
  ),
  asked(
    'export-without-credentials',
    'ERRORS-OPEN-1',
    'What an export without credentials is answered with.',
    { 'nobody export': 1 },
    async (context) => {
      const answer = await context.export({ headers: [], lane: 'nobody export' });
      return `Status ${answer.status}, media type ${findHeader(answer, 'content-type') ?? 'none'}, body ${JSON.stringify(readText(answer).slice(0, 200))}.`;
    },
  ),
  asked(
    'path-of-the-sample',
    'EXPORT-OPEN-4',
    'Whether the path of the sample request works.',
    { 'first export': 1 },
    async (context) => {
      const { workspace, account } = context.session;
      const path = buildPath('workspaces', workspace, 'export', 'v1');
      const lane = context.session.lane(account, 'export');
      const answer = await context.send({ path, lane, headers: [['authorization', encodeBasic(account)]] });
      return `Status ${answer.status}${checkExport(answer).problems.length === 0 ? ', with an export' : ''}.`;
    },
  ),
  asked(
    'other-versions',
    'VERSION-OPEN-1',
    'Other versions in the path, and none.',
    { 'first version': 2 },
    async (context) => {
      const { workspace, account } = context.session;
      const seen: string[] = [];
      for (const version of [['v2'], []]) {
        const path = buildPath('workspaces', workspace, 'branches', 'export', ...version);
        const answer = await context.send({
          path,
          lane: 'first version',
          headers: [['authorization', encodeBasic(account)]],
        });
        seen.push(`${version[0] ?? 'no version'}: ${answer.status}`);
      }
      return `${seen.join(', ')}.`;
    },
  ),
  asked('events', 'EVENTS-OPEN-1', 'Events, callbacks or webhooks.', {}, async (context) =>
    context.notObserved("What a service sends to others can't be seen by asking it."),
  ),
  {
    id: 'open/accounts',
    clauses: ['PROFILE-ACCOUNTS-1'],
    level: 'observed',
    title: 'How accounts are made and deleted.',
    needs: ['profile'],
    cost: {},
    run: async (context) => context.notObserved('The operator does it, not a request.'),
  },
  {
    id: 'open/broken-export',
    clauses: ['PROFILE-EXPORT-7'],
    level: 'observed',
    title: 'How an export ends that fails in the middle.',
    needs: ['profile'],
    cost: {},
    run: async (context) => context.notObserved("A client can't make a service fail in the middle."),
  },
];
