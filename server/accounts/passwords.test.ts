import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { NotWanted, workFor } from '../storage/holder.ts';
import { Unavailable } from '../storage/transient-errors.ts';
import type { deriveKey } from './key-derivation.ts';
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

const SALT_AND_HASH = 'c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';

it.each([
  `m=19456,t=4294967295,p=1$${SALT_AND_HASH}`,
  `m=19456,t=14,p=1$${SALT_AND_HASH}`,
  `m=4194304,t=2,p=1$${SALT_AND_HASH}`,
  `m=4294967295,t=1,p=1$${SALT_AND_HASH}`,
  `m=19456,t=2,p=255$${SALT_AND_HASH}`,
  `m=19456,t=0,p=1$${SALT_AND_HASH}`,
  `m=19456,t=2,p=0$${SALT_AND_HASH}`,
  `m=7,t=2,p=1$${SALT_AND_HASH}`,
  `m=19456,t=2,p=1$c2FsdA$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc`,
  `m=19456,t=2,p=1$c29tZXNhbHQ$CTFh`,
  `m=19456,t=2,p=1$c29tZXNhbHQ$${'CTFh'.repeat(22)}`,
])('does not try what no server stores: %s', async (rest) => {
  const derive = vi.fn<typeof deriveKey>();
  const careful = new Passwords({ derive });
  await expect(careful.matches('password', `$argon2id$v=19$${rest}`, '')).rejects.toThrow(/in users\.password_hash/);
  expect(derive).not.toHaveBeenCalled();
});

it.each([`m=65536,t=3,p=4`, 'm=47104,t=1,p=1', 'm=7168,t=5,p=1'])('tries what is recommended: %s', async (cost) => {
  const derive = vi.fn<typeof deriveKey>().mockResolvedValue(Buffer.alloc(32));
  const stored = `$argon2id$v=19$${cost}$${SALT_AND_HASH}`;
  expect(await new Passwords({ derive }).matches('password', stored, '')).toBe(false);
  expect(derive).toHaveBeenCalledTimes(1);
});

it('checks nothing for a client that has left', async () => {
  const derive = vi.fn<typeof deriveKey>();
  const check = () => new Passwords({ derive }).matches('password', null, '');
  await expect(workFor('demo', check, () => false)).rejects.toThrow(NotWanted);
  expect(derive).not.toHaveBeenCalled();
});

it('refuses what would have to wait too long, and no client has all places', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const busy = new Passwords({
    derive: ({ message, tagLength }) => {
      begun.push(String(message));
      return new Promise((resolve) => ends.push(() => resolve(Buffer.alloc(tagLength))));
    },
  });
  const flood = Array.from({ length: 300 }, () =>
    busy.matches('attacker', null, 'attacker').catch((error: unknown) => error),
  );
  const other = busy.matches('somebody else', null, 'somebody else');
  await turn();
  expect(begun).toEqual(['attacker', 'somebody else']);
  vi.advanceTimersByTime(5_000);
  for (const end of ends) end();
  expect(await other).toBe(false);
  const refused = (await Promise.all(flood)).filter((result) => result instanceof Unavailable);
  expect(refused).toHaveLength(299);
});

const [elsewhere, note] =
  process.platform === 'linux' ? [false, ''] : [true, ' (skipped: only Linux has it by thread)'];

it.skipIf(elsewhere)(`hashes in a thread that gets a processor after the others${note}`, async () => {
  await passwords.hash('any', '');
  const priorities = readdirSync('/proc/self/task').map(nicenessOf);
  expect(Math.max(...priorities)).toBe(Math.min(19, nicenessOf(String(process.pid)) + 10));
});

/** The 19th field of what Linux tells of a thread; the name, which is the second, may have blanks in it. */
function nicenessOf(thread: string): number {
  const [, after = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(/\) (?=[A-Z] )/);
  return Number(after.split(' ')[16]);
}
