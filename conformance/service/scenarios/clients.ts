import { setTimeout as pause } from 'node:timers/promises';
import { findHeader } from '../../engine/http/client.ts';
import type { ServiceCase } from '../case.ts';
import type { RequestChange, ServiceContext } from '../context.ts';
import { CONFLICT, UNAUTHORIZED, checkCreated, checkError, checkInvalidName } from '../documented.ts';
import { checkExport } from '../export-table.ts';
import { A_SECOND_LATER_MS, earlyExport, hasRows } from './export.ts';

/** Longer than many services keep what they need for a connection. */
const IDLE_MS = 2_000;

type Change = Pick<RequestChange, 'moreHeaders' | 'isInParts'>;

/** Ways in which a body may come: HTTP makes no difference between them. */
const ARRIVALS: readonly [id: string, title: string, change: Change][] = [
  ['parts', 'in two parts, one later than the other', { isInParts: true }],
  ['chunks', 'in chunks, without its length', { moreHeaders: [['transfer-encoding', 'chunked']], isInParts: true }],
];

const arriving = ARRIVALS.map(([id, title, change]): ServiceCase => ({
  id: `clients/body-in-${id}`,
  clauses: ['BRANCH-CREATE-REQUEST-3', 'BRANCH-CREATE-201-1', 'BRANCH-CREATE-201-3'],
  level: 'required',
  title: `A valid body is taken that comes ${title}.`,
  cost: { 'first create': 1 },
  run: async (context) => {
    const name = context.name();
    const answer = await context.create({ name }, change);
    // RFC 9112, 6.1 and 6.3.
    if (change.moreHeaders !== undefined && (answer.status === 411 || answer.httpVersion === '1.0'))
      context.skip('Whether a body may come without its length is not shown.');
    context.demand(checkCreated(answer, name).problems);
  },
}));

/** What a client may say of itself. */
const CLIENTS: readonly [id: string, title: string, headers: readonly [string, string][]][] = [
  [
    'browser',
    'a browser',
    [
      ['accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
      ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ],
  ],
  ['language', 'a client of another language', [['accept-language', 'fr-FR,fr;q=0.9,de;q=0.8']]],
];

const served = CLIENTS.map(([id, title, moreHeaders]): ServiceCase => ({
  id: `clients/${id}`,
  clauses: ['ERROR-BODY-1', 'BRANCH-CREATE-201-1', 'BRANCH-CREATE-400-4', 'BRANCH-CREATE-401-3', 'BRANCH-CREATE-409-2'],
  level: 'required',
  title: `Create Branch answers ${title} as anybody else, with the documented errors.`,
  cost: { 'first create': 3, 'nobody create': 1 },
  run: async (context) => {
    const { branchName } = await context.createBranch(context.name(), { moreHeaders });
    context.demand(checkError(await context.create({ name: branchName }, { moreHeaders }), 409, CONFLICT));
    context.demand(checkInvalidName(await context.create({ name: `${branchName}_x` }, { moreHeaders })).problems);
    const headers: [string, string][] = [['content-type', 'application/json']];
    const nobody = await context.create({ name: context.name() }, { headers, moreHeaders, lane: 'nobody create' });
    context.demand(checkError(nobody, 401, UNAUTHORIZED));
  },
}));

/** What clients do that HTTP lets them do, and that changes nothing of what is documented. */
export const clients: readonly ServiceCase[] = [
  ...arriving,
  ...served,
  {
    id: 'clients/compression',
    clauses: ['BRANCH-CREATE-201-2', 'EXPORT-SUCCESS-1', 'EXPORT-COLUMNS-1'],
    level: 'required',
    title: 'A client that takes compressed bodies gets what others get: a body that is compressed says so.',
    cost: { 'first create': 1, 'first export': 1 },
    run: async (context) => {
      const moreHeaders: [string, string][] = [['accept-encoding', 'gzip, deflate, br']];
      await context.createBranch(context.name(), { moreHeaders });
      await context.exportTable({ moreHeaders });
    },
  },
  {
    id: 'clients/idle-connection',
    clauses: ['BRANCH-CREATE-201-1', 'BRANCH-CREATE-201-3'],
    level: 'required',
    title: 'A branch can be created over a connection that nothing came over for two seconds.',
    cost: { 'first create': 2 },
    run: (context) =>
      context.overOneConnection(async (transport) => {
        await context.createBranch(context.name(), { transport });
        await pause(IDLE_MS);
        await context.createBranch(context.name(), { transport });
      }),
  },
  {
    id: 'clients/conditional-export',
    clauses: ['EXPORT-SUCCESS-1', 'EXPORT-ROWS-1'],
    level: 'required',
    title: 'An export that is asked for only if it has changed shows what was created since, whatever it is asked by.',
    cost: { 'first create': 1, 'first export': 2 },
    run: async (context) => {
      const { at, table } = await earlyExport(context);
      await pause(Math.max(0, at + A_SECOND_LATER_MS - Date.now()));
      const { branchId, branchName } = await context.createBranch();
      for (const [validator, condition] of VALIDATORS) {
        const value = findHeader(table.answer, validator);
        if (value === undefined) continue;
        const isShown = await showsWhatIsNew(context, [condition, value], branchId);
        context.check(isShown, `With ${condition}: ${value}, the export does not show ${branchName} (${branchId}).`);
      }
    },
  },
];

/** Without a date of its last change, clients send that of the answer (RFC 9110, 13.1.3). */
const VALIDATORS = [
  ['etag', 'if-none-match'],
  ['last-modified', 'if-modified-since'],
  ['date', 'if-modified-since'],
] as const;

const POLL_MS = 250;

/** Whether an export under a condition shows a branch, within the time that a row may take to show up. */
async function showsWhatIsNew(
  context: ServiceContext,
  condition: readonly [string, string],
  branchId: string,
): Promise<boolean> {
  const until = performance.now() + context.settleMs;
  for (;;) {
    const answer = await context.export({ moreHeaders: [[...condition]] });
    const { problems, table } = answer.status === 304 ? { problems: [], table: undefined } : checkExport(answer);
    context.demand(problems);
    if (table !== undefined && hasRows(table, [branchId])) return true;
    if (performance.now() >= until) return false;
    await pause(POLL_MS);
  }
}
