// @module-tag both-engines
import { describe, expect } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import { NOW } from '../testing/batches.ts';
import { test } from '../testing/database.ts';
import { ADA, PRICE, readIssues, sendEvents } from '../testing/found-issues.ts';
import { changeIssueState } from './change-state.ts';

test('a version that is known, and is refused more, does not bring back an issue that was resolved; a newer one does', async ({
  storage,
}) => {
  const fill = (version: string, at: number) =>
    sendEvents(storage, ['One', `Only in ${version}`], { version, at, maxShapes: 1 });
  await fill('1.0', NOW);
  const [{ issueId = '' } = {}] = await readIssues(storage);
  await changeIssueState(storage, { issueId, state: 'resolved', by: ADA, at: NOW + 1 });
  await fill('1.0', NOW + 2);
  expect(await readIssues(storage)).toEqual([]);
  await fill('1.0', NOW + 3);
  await fill('1.1', NOW + 4);
  expect(await readIssues(storage)).toMatchObject([{ issueId, state: 'open', appVersion: '1.1' }]);
});

describe('the state of an issue', () => {
  const change = async (storage: Storage, state: 'open' | 'resolved' | 'ignored', at: number) => {
    const [issue] = [
      ...(await readIssues(storage)),
      ...(await readIssues(storage, { state: 'resolved' })),
      ...(await readIssues(storage, { state: 'ignored' })),
    ];
    return changeIssueState(storage, { issueId: issue?.issueId ?? '', state, by: ADA, at });
  };

  const begin = (storage: Storage) =>
    sendEvents(storage, [
      ['Paid', PRICE('int')],
      ['Paid', PRICE('string')],
    ]);

  test('resolved says who and when, and comes back with a newer app version only', async ({ storage }) => {
    await begin(storage);
    expect(await change(storage, 'resolved', NOW + 10)).toMatchObject({
      state: 'resolved',
      stateChangedBy: 'ada@example.com',
      stateChangedAt: new Date(NOW + 10).toISOString(),
    });
    expect(await readIssues(storage)).toEqual([]);
    // A new shape of the same version, and a new version that has it no more.
    await sendEvents(storage, [['Paid', [...PRICE('string'), { name: 'more', type: 'int' }]]], { at: NOW + 20 });
    await sendEvents(storage, [['Paid', PRICE('int')]], { at: NOW + 30, version: '1.1' });
    expect(await readIssues(storage)).toEqual([]);
    await sendEvents(storage, [['Paid', PRICE('string')]], { at: NOW + 40, version: '1.2' });
    expect(await readIssues(storage)).toMatchObject([
      { state: 'open', appVersion: '1.2', stateChangedBy: null, stateChangedAt: new Date(NOW + 40).toISOString() },
    ]);
  });

  test('ignored stays ignored, in its environment', async ({ storage }) => {
    await begin(storage);
    await change(storage, 'ignored', NOW + 10);
    await sendEvents(storage, [['Paid', PRICE('string')]], { at: NOW + 40, version: '1.2' });
    expect(await readIssues(storage)).toEqual([]);
    expect(await readIssues(storage, { state: 'ignored' })).toMatchObject([{ appVersion: '1.2', environment: 'prod' }]);
    await sendEvents(storage, [['Paid', PRICE('string')]], { at: NOW + 50, environment: 'dev' });
    expect(await readIssues(storage)).toMatchObject([{ state: 'open', environment: 'dev' }]);
  });

  test('is not overruled by who does not know it', async ({ storage }) => {
    await begin(storage);
    await change(storage, 'ignored', NOW + 10);
    expect(await change(storage, 'ignored', NOW + 11)).toMatchObject({
      stateChangedAt: new Date(NOW + 10).toISOString(),
    });
    await expect(change(storage, 'resolved', NOW + 12)).rejects.toThrow(
      "This issue was ignored by ada@example.com and can't become resolved. Open it again first.",
    );
    expect(await change(storage, 'open', NOW + 13)).toMatchObject({ state: 'open', stateChangedBy: 'ada@example.com' });
  });

  test('of an issue that is not there can not be changed', async ({ storage }) => {
    const gone = changeIssueState(storage, { issueId: 'none', state: 'resolved', by: ADA, at: NOW });
    await expect(gone).rejects.toThrow('No issue of this workspace has this id.');
  });
});
