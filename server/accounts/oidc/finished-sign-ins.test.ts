// @module-tag both-engines
import { expect } from 'vitest';
import { test } from '../../maintenance/testing/stage.ts';
import { openStorage } from '../../storage/open.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { expiryTask } from '../expired.ts';
import { isFinished, markFinished } from './finished-sign-ins.ts';

const DAY_MS = 86_400_000;

test('a sign-in that is over is known to be over after a restart, for a day', async ({ location, time }) => {
  const begun = time.now;
  let storage = await openStorage(location);
  await ofTest(storage).write((tx) => markFinished(tx, 'shop', 'shop.state', begun));
  const found = async () => {
    await storage.close();
    storage = await openStorage(location);
    await Array.fromAsync(expiryTask(storage, () => time.now).steps());
    const { db } = ofTest(storage);
    return Promise.all([
      isFinished(db, 'shop', 'shop.state'),
      isFinished(db, 'shop', 'shop.other'),
      isFinished(db, 'bank', 'shop.state'),
    ]);
  };
  time.now = begun + DAY_MS - 1;
  expect(await found()).toEqual([true, false, false]);
  time.now = begun + DAY_MS;
  expect(await found()).toEqual([false, false, false]);
  await storage.close();
});
