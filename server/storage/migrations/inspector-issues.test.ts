// @module-tag both-engines
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../inspector/hours.ts';
import { findingIssues } from '../../inspector/issues/finding-issues.ts';
import { listIssues } from '../../inspector/issues/list.ts';
import { lookForSomeIssues } from '../../inspector/issues/look-for-issues.ts';
import { deriveShape } from '../../inspector/shape.ts';
import { batch, event, KEY, NOW, openIngest } from '../../inspector/testing/batches.ts';
import { openStorage } from '../open.ts';
import { openAsBefore } from '../testing/open-as-before.ts';
import { newDatabase } from '../testing/databases.ts';

const INT = deriveShape('Paid', [{ name: 'price', type: 'int' }]);
const STRING = deriveShape('Paid', [{ name: 'price', type: 'string' }]);
const VARIANT = deriveShape('paid', []);

/** Three hundred versions of an app, of which the last but one changed a type and the last one a name. */
const VERSIONS = 300;

async function fill(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  await run(`insert into workspaces (workspace_id, hash_key_id, created_at) values ('demo', 'key', 1)`);
  await run(`insert into event_names values ('demo', 'Paid', 'Paid'), ('demo', 'paid', 'paid')`);
  for (const { id, eventKey, schema } of [INT, STRING, VARIANT]) {
    await run(`insert into shapes values ('demo', '${eventKey}', '${id}', '${schema}')`);
    await run(`insert into source_shapes values ('demo', '${eventKey}', '${id}', 'shop', 'prod', 60, 1, 2)`);
  }
  const versions = Array.from({ length: VERSIONS }, (_, index) => {
    const shape = index < VERSIONS - 2 ? INT : index === VERSIONS - 2 ? STRING : VARIANT;
    return { ...shape, version: `1.${index}`, at: 100 + index };
  });
  const rows = (row: (version: (typeof versions)[number]) => string): string => versions.map(row).join(', ');
  await run(`insert into app_versions values ${rows(({ version }) => `('demo', 'shop', '${version}', 1)`)}`);
  await run(
    `insert into observed_events values ${rows(
      ({ eventKey, eventName, version, at }) =>
        `('demo', '${eventKey}', 'shop', '${version}', 'prod', '${eventName}', 60, 1, ${at}, ${at})`,
    )}`,
  );
  await run(
    `insert into observed_shapes values ${rows(
      ({ id, eventKey, eventName, version, at }) =>
        `('demo', '${eventKey}', 'shop', '${version}', 'prod', '${id}', '${eventName}', 60, ${at}, ${at})`,
    )}`,
  );
  await run(
    `insert into event_totals values ('demo', '', '', 'shop', ${VERSIONS}, 0, '[["1.299", 399]]', 18000, 100, 399)`,
  );
  await run(`insert into observed_types values ('demo', 'Paid', '["price"]', 'int', 'shop', 'prod', '1.0', 1),
    ('demo', 'Paid', '["price"]', 'string', 'shop', 'prod', '1.${VERSIONS - 2}', 1)`);
  await run(`insert into observed_properties values ('demo', 'Paid', '["price"]', 'Paid', '["price"]', 'int', 1)`);
}

test('issues of what was observed before appear, step by step', async () => {
  const { location, remove } = await newDatabase({ empty: true });
  const db = await openAsBefore(location, '0011');
  await fill(db);
  await db.destroy();
  const storage = await openStorage(location);
  const told = async () => {
    const { entries = [] } = (await listIssues(storage, 'demo', {})) ?? {};
    return entries.map(({ kind, eventName, appVersion, comparedWith }) =>
      [kind, eventName, appVersion, comparedWith].join(' '),
    );
  };
  expect(await told()).toEqual([]);

  let steps = 1;
  while (await lookForSomeIssues(storage, 'demo')) steps += 1;
  expect(steps).toBeGreaterThan(1);
  const found = [`nameVariant paid 1.${VERSIONS - 1} Paid`, `typeConflict Paid 1.${VERSIONS - 2} int`];
  expect(await told()).toEqual(found);

  for await (const _ of findingIssues(storage, () => 100 + VERSIONS + DAY_MS).steps());
  const gone = `goneInVersion Paid 1.${VERSIONS - 1} 1.${VERSIONS - 2}`;
  expect(await told()).toEqual([gone, ...found]);

  // What comes afterwards is new beside what was there.
  const ingest = openIngest({ storage });
  await ingest.take(KEY, batch([event({ eventName: 'PAID' }), event({ eventName: 'Left' })], { version: '2.0' }));
  await ingest.close();
  expect(await lookForSomeIssues(storage, 'demo')).toBe(false);
  expect((await told()).slice(0, 2).toSorted()).toEqual(['nameVariant PAID 2.0 Paid', 'newInVersion Left 2.0 ']);
  expect(NOW).toBeGreaterThan(100 + VERSIONS + DAY_MS);
  await storage.close();
  await remove();
});
