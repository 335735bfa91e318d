import { expect, it, vi } from 'vitest';
import { Unavailable } from '../storage/transient-errors.ts';
import { Passwords } from './passwords.ts';

const passwords = new Passwords();

it('matches the password that was stored, in either form of Unicode, and no other', async () => {
  const stored = await passwords.hash('Pässwörter', '');
  expect(stored).not.toBe(await passwords.hash('Pässwörter', ''));
  for (const same of ['Pässwörter', 'Pässwörter'.normalize('NFD')]) {
    expect(await passwords.matches(same, stored, '')).toBe(true);
  }
  for (const other of ['Passworter', '', 'Pässwörter ']) expect(await passwords.matches(other, stored, '')).toBe(false);
});

it('reads what another program has stored, with its own cost', async () => {
  // By the reference implementation: echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1 -l 32 -e
  const stored = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await passwords.matches('password', stored, '')).toBe(true);
  expect(await passwords.matches('Password', stored, '')).toBe(false);
});

it.each([null, '', 'plain', '$argon2i$v=19$m=1,t=1,p=1$c29tZXNhbHQ$CTFh'])(
  'matches nothing where %s is stored',
  async (stored) => {
    expect(await passwords.matches('plain', stored, '')).toBe(false);
  },
);

it('refuses what would have to wait too long, and no client has all places', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const busy = new Passwords();
  const settled: string[] = [];
  const flood = Array.from({ length: 300 }, () =>
    busy.matches('x', null, 'attacker').then(
      () => settled.push('attacker'),
      (error: unknown) => error,
    ),
  );
  const other = busy.matches('x', null, 'somebody else').then(() => settled.push('somebody else'));
  await other;
  expect(settled.filter((who) => who === 'attacker').length).toBeLessThanOrEqual(2);
  vi.advanceTimersByTime(5_000);
  const refused = (await Promise.all(flood)).filter((result) => result instanceof Unavailable);
  expect(refused.length).toBeGreaterThan(250);
  vi.useRealTimers();
});
