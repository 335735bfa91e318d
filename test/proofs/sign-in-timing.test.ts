import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Passwords } from '../../server/accounts/passwords.ts';
import { type Installation, install, WORKSPACE } from './support/installation.ts';
import { shareLarger } from './support/mann-whitney.ts';
import { scale } from './support/scale.ts';
import { expectSoon, timesInTurns } from './support/times.ts';

const ATTEMPTS = scale({ usual: 30, full: 300 });

/** The first ones find nothing compiled. */
const WARM_UP = 3;

/** How many rounds guess at one person: one less than there may be tries in a row. */
const TRIES_OF_A_PERSON = 19;

/** Chance alone leads farther than this in about one of 500 measurements. */
const FARTHEST = scale({ usual: 0.23, full: 0.08 });

const KINDS = ['wrong password', 'unknown e-mail', 'unknown workspace', 'nobody’s password yet'] as const;
type Kind = (typeof KINDS)[number];

let installation: Installation;
beforeAll(async () => {
  installation = await install();
  await addPeople(3 * Math.ceil(ATTEMPTS / TRIES_OF_A_PERSON));
});
afterAll(() => installation.remove());

it(`a wrong password takes as long as an unknown e-mail: of ${ATTEMPTS}² pairs the one takes longer in ${50 - 100 * FARTHEST} to ${50 + 100 * FARTHEST} %`, async () => {
  const server = await installation.start();
  const dispatcher = new Agent({ connections: 1, pipelining: 1 });
  let attempts = 0;

  async function signIn(kind: Kind): Promise<void> {
    attempts += 1;
    const { workspaceId, email } = whom(kind, attempts);
    const { statusCode, body } = await request(`${server.origin}/workspaces/${workspaceId}/sessions/v1`, {
      method: 'POST',
      dispatcher,
      // Each from another address, so that nobody is slowed down.
      headers: {
        'content-type': 'application/json',
        origin: server.origin,
        'x-forwarded-for': `10.0.${attempts >> 8}.${attempts & 255}`,
      },
      body: JSON.stringify({ email, password: 'a wrong password' }),
    });
    await body.dump();
    expect(statusCode).toBe(401);
  }

  await expectSoon(
    async () => {
      const { 'wrong password': wrong, ...others } = await timesInTurns(KINDS, ATTEMPTS, signIn);
      return Object.values(others).every((times) => Math.abs(shareLarger(wrong, times) - 0.5) <= FARTHEST);
    },
    () => timesInTurns(KINDS, WARM_UP, signIn),
  );
  await dispatcher.close();
});

/** E-mails are as long as each other. */
function whom(kind: Kind, attempt: number): { workspaceId: string; email: string } {
  const number = String(attempt).padStart(6, '0');
  const person = String(Math.floor(attempt / KINDS.length / TRIES_OF_A_PERSON)).padStart(6, '0');
  if (kind === 'wrong password') return { workspaceId: WORKSPACE, email: `known.${person}@example.com` };
  if (kind === 'nobody’s password yet') return { workspaceId: WORKSPACE, email: `guest.${person}@example.com` };
  return { workspaceId: kind === 'unknown workspace' ? 'shut' : WORKSPACE, email: `other.${number}@example.com` };
}

/** Some who have a password, and as many who were invited only. */
async function addPeople(count: number): Promise<void> {
  const passwordHash = await new Passwords().hash('correct horse battery staple', 'here');
  const rows = Array.from({ length: 2 * count + 2 }, (_, index) => {
    const hasPassword = index % 2 === 0;
    const email = `${hasPassword ? 'known' : 'guest'}.${String(Math.floor(index / 2)).padStart(6, '0')}@example.com`;
    return {
      workspace_id: WORKSPACE,
      user_id: `user-${index}`,
      email,
      email_key: email,
      role: 'viewer',
      password_hash: hasPassword ? passwordHash : null,
      created_at: 1,
      last_sign_in_at: null,
    };
  });
  await installation.administration.workspaces.write(WORKSPACE, (tx) => tx.insertInto('users').values(rows).execute());
}
