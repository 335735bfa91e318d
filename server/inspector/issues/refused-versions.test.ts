// @module-tag both-engines
import { describe, expect } from 'vitest';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { NOW } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { ADA, readIssues, sendEvents, summarizeIssues } from '../testing/found-issues.ts';
import { changeIssueState } from './change-state.ts';

test('events that were refused for want of room are an issue of the source', async ({ storage }) => {
  await sendEvents(storage, ['One', 'Two', 'Three', 'Four'], { maxShapes: 2 });
  expect(await summarizeIssues(storage)).toEqual(['overLimit   versionShapes']);
  expect(await readIssues(storage)).toMatchObject([
    { eventName: null, property: [], affectedShare: null, source: 'shop' },
  ]);
});

test('began with the first, whatever the order of their entries is', async ({ storage }) => {
  const sources = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const source of sources) {
    await sendEvents(storage, ['One'], { source, maxShapes: 1 });
    await sendEvents(storage, ['Two'], { source, environment: 'dev', at: NOW + 1, maxShapes: 1 });
    await sendEvents(storage, ['One', 'Two'], {
      source,
      version: '2.0',
      environment: 'dev',
      at: NOW + 2,
      maxShapes: 1,
    });
  }
  const began = (await readIssues(storage, { kind: 'overLimit' })).map(({ firstSeen }) => firstSeen);
  expect(began).toEqual(sources.map(() => new Date(NOW + 1).toISOString()));
});

test('began with the first, also where that is found later', async ({ storage }) => {
  for (const at of [NOW + 2, NOW + 1, NOW + 3]) {
    await sendEvents(storage, ['One'], { environment: 'dev', at, maxShapes: 0 });
    await readIssues(storage);
  }
  expect(await readIssues(storage)).toMatchObject([
    { firstSeen: new Date(NOW + 1).toISOString(), lastSeen: new Date(NOW + 3).toISOString() },
  ]);
});

describe('app versions of which all was refused', () => {
  test('make one issue, however many they are, and are not remembered', async ({ storage }) => {
    await sendEvents(storage, ['One']);
    for (const version of ['2.0', '2.1', '2.2']) {
      for (const environment of ['dev', 'prod'] as const) {
        await sendEvents(storage, ['One'], { version, environment, at: NOW + 1, maxShapes: 0 });
      }
    }
    const { db } = ofTest(storage);
    // One for what was accepted, and one for each environment.
    expect(await db.selectFrom('issue_news').selectAll().execute()).toHaveLength(3);
    expect(await summarizeIssues(storage)).toEqual(Array(2).fill('overLimit   versionShapes'));
    expect(await db.selectFrom('issue_versions').select('app_version').execute()).toEqual([{ app_version: '1.0' }]);
  });

  test('and of whose source all was, make one issue each time it is looked', async ({ storage }) => {
    await sendEvents(storage, ['One']);
    const refuse = async (sources: readonly string[]) => {
      for (const source of sources) await sendEvents(storage, ['One'], { source, version: '2.0', maxShapes: 0 });
      return (await readIssues(storage)).map(({ source }) => source).toSorted();
    };
    expect(await refuse(['first', 'second', 'third'])).toEqual(['first']);
    expect(await refuse(['second', 'shop', 'third'])).toEqual(['first', 'second', 'shop']);
  });

  test('are new each time, so that an issue that was resolved comes back', async ({ storage }) => {
    const refuse = (at: number) => sendEvents(storage, ['One'], { version: '2.0', at, maxShapes: 0 });
    await refuse(NOW);
    const [{ issueId = '' } = {}] = await readIssues(storage);
    await changeIssueState(storage, { issueId, state: 'resolved', by: ADA, at: NOW + 1 });
    expect(await readIssues(storage)).toEqual([]);
    await refuse(NOW + 2);
    expect(await readIssues(storage)).toMatchObject([{ issueId, state: 'open', appVersion: '2.0' }]);
  });
});
