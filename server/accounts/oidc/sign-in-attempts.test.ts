import { expect, it } from 'vitest';
import { SecretHasher } from '../secrets.ts';
import { SignInAttempts } from './sign-in-attempts.ts';

const ISSUER = 'https://login.example';

const start = () => new SignInAttempts({ hasher: new SecretHasher(Buffer.alloc(32)), clock: () => 0 });

function begin() {
  const attempts = start();
  const attempt = attempts.begin('shop', ISSUER);
  const [cookie] = attempts.toCookie(attempt, { protocol: 'http', headers: {} }).split(';');
  return { attempt, request: { protocol: 'http' as const, headers: { cookie } } };
}

it('what was begun before a restart can be finished after it', () => {
  const { attempt, request } = begin();
  const { state } = attempt;
  expect(start().find(request, { workspaceId: 'shop', state, issuer: ISSUER })).toEqual(attempt);
});

it('what was begun at one provider can not be finished at another', () => {
  const { attempt, request } = begin();
  const { state } = attempt;
  expect(start().find(request, { workspaceId: 'shop', state, issuer: `${ISSUER}/` })).toBeUndefined();
});
