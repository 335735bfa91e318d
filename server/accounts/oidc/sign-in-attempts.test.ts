// @module-tag both-engines
import { expect, it } from 'vitest';
import { openStorage } from '../../storage/open.ts';
import { newDatabase, testedEngine } from '../../storage/testing/databases.ts';
import { SecretHasher } from '../secrets.ts';
import { SignInAttempts } from './sign-in-attempts.ts';

it('what was begun before a restart can be finished only where the database knows what is over', async () => {
  const database = await newDatabase();
  const storage = await openStorage(database.location);
  try {
    const hasher = new SecretHasher(Buffer.alloc(32));
    const start = () => new SignInAttempts({ hasher, clock: () => 0, limiter: storage.rateLimiter() });
    const before = start();
    const attempt = before.begin('shop');
    const [cookie] = before.toCookie(attempt, { protocol: 'http', headers: {} }).split(';');
    const find = (attempts: SignInAttempts) =>
      attempts.find({ protocol: 'http', headers: { cookie } }, 'shop', attempt.state);
    expect(find(before)).toEqual(attempt);
    expect(find(start())).toEqual(testedEngine() === 'postgres' ? attempt : undefined);
  } finally {
    await storage.close();
    await database.remove();
  }
});
