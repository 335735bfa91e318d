// @module-tag both-engines
import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import type { EventSchema } from '../event-schema.ts';
import { NOW } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { ADA, PRICE, readIssues, sendEvents } from '../testing/found-issues.ts';
import { changeIssueState } from './change-state.ts';

const user = (...names: string[]): EventSchema => [
  { name: 'user', type: 'object', properties: names.map((name) => ({ name, type: 'int' })) },
];

/** What one batch of one event brings. Few choices, so that histories meet what was there before. */
const sentBy = (...versions: string[]) =>
  fc.record({
    version: fc.constantFrom(...versions),
    source: fc.constantFrom('shop', 'shop', 'shop', 'ios'),
    environment: fc.constantFrom('prod', 'prod', 'prod', 'dev'),
    name: fc.constantFrom('Paid', 'paid', 'paid', 'Seen'),
    schema: fc.constantFrom([], PRICE('int'), PRICE('string'), user(), user('age')),
  });

type Sent = ReturnType<typeof sentBy> extends fc.Arbitrary<infer Value> ? Value : never;

/** What comes before all issues are resolved, and after that, when there is a new version. */
const before = fc.array(sentBy('1', '2'), { minLength: 2, maxLength: 8 });
const after = fc.array(sentBy('1', '2', '3', '3'), { minLength: 1, maxLength: 8 });

const one: Sent = { version: '1', source: 'shop', environment: 'prod', name: 'Paid', schema: [] };

/** What was found differently once. */
const EXAMPLES: [Sent[], Sent[]][] = [
  // A version that was there before the issue was resolved sends it behind one that is new.
  [
    [one, { ...one, version: '2', name: 'paid' }],
    [
      { ...one, version: '3', name: 'paid' },
      { ...one, name: 'paid' },
    ],
  ],
  // An app version brings an event, and a property of it in another environment.
  [
    [
      one,
      { ...one, version: '2', name: 'Seen' },
      { ...one, version: '2', name: 'Seen', environment: 'dev', schema: PRICE('int') },
    ],
    [one],
  ],
  // The same of an object and a property in it.
  [
    [one, { ...one, version: '2', schema: user() }, { ...one, version: '2', environment: 'dev', schema: user('age') }],
    [one],
  ],
  [[one, { ...one, version: '2', schema: user() }, { ...one, version: '2', schema: user('age') }], [one]],
];

let began = NOW;
let runs = 0;

/** Sends a history, of which the events' names begin with a prefix, and reads the issues after each batch, or not. */
async function send(storage: Storage, workspaceId: string, prefix: string, batches: readonly Sent[], reads: boolean) {
  for (const [index, { name, schema, source, ...place }] of batches.entries()) {
    const at = began + index;
    await sendEvents(storage, [[`${prefix} ${name}`, schema]], {
      ...place,
      source: `${source} ${prefix}`,
      workspaceId,
      at,
    });
    if (reads) await readIssues(storage, {}, workspaceId);
  }
  began += batches.length;
}

/** Of the events whose names begin with a prefix. */
async function readAll(storage: Storage, workspaceId: string, prefix: string) {
  const found = [];
  for (const state of ['open', 'resolved'] as const) {
    found.push(...(await readIssues(storage, { state, text: `${prefix} `, limit: 100 }, workspaceId)));
  }
  // When it came back is told by the first that is new in its place, whatever came before it.
  return found
    .map((issue) => ({ ...issue, stateChangedAt: null }))
    .toSorted((a, b) => (a.issueId < b.issueId ? -1 : 1));
}

async function resolveAll(storage: Storage, workspaceId: string, prefix: string) {
  for (const { issueId } of await readIssues(storage, { text: `${prefix} `, limit: 100 }, workspaceId)) {
    await changeIssueState(storage, { issueId, state: 'resolved', by: { ...ADA, workspaceId }, at: began });
  }
}

test(
  'the same is found whether the list is read after each batch or once',
  { timeout: 600_000 },
  async ({ storage }) => {
    await fc.assert(
      fc.asyncProperty(before, after, async (earlier, later) => {
        runs += 1;
        const prefix = String(runs);
        const start = began;
        const found = [];
        for (const [workspaceId, reads] of [
          ['demo', true],
          ['other', false],
        ] as const) {
          began = start;
          await send(storage, workspaceId, prefix, earlier, reads);
          await resolveAll(storage, workspaceId, prefix);
          began += 1;
          await send(storage, workspaceId, prefix, later, reads);
          found.push(await readAll(storage, workspaceId, prefix));
        }
        expect(found[1]).toEqual(found[0]);
      }),
      { numRuns: 20, examples: EXAMPLES },
    );
  },
);
