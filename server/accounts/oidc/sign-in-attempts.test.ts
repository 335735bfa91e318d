import { expect, it } from 'vitest';
import { SecretHasher } from '../secrets.ts';
import { SignInAttempts } from './sign-in-attempts.ts';

it('what was begun before a restart can be finished after it', () => {
  const start = () => new SignInAttempts({ hasher: new SecretHasher(Buffer.alloc(32)), clock: () => 0 });
  const before = start();
  const attempt = before.begin('shop');
  const [cookie] = before.toCookie(attempt, { protocol: 'http', headers: {} }).split(';');
  const request = { protocol: 'http' as const, headers: { cookie } };
  expect(start().find(request, 'shop', attempt.state)).toEqual(attempt);
});
