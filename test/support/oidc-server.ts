import { expect } from 'vitest';
import type { Role } from '../../server/accounts/principals.ts';
import { Browser } from './browser.ts';
import { type ProviderPerson, startProvider, type TestProvider } from './oidc-provider.ts';
import { type Answer, startTestServer, type TestServer } from './server.ts';

export const MINUTE = 60_000;

/** A person whom the provider knows, and signs in by their name. */
export interface Person {
  name: string;
  email: string;
  sub: string;
}

/** Where a sign-in happens; left out: in a new browser, in the workspace `shop`. */
interface Place {
  own?: Browser;
  workspaceId?: string;
}

/** A server with the workspaces `shop` and `bank` whose people sign in at a real provider. */
export interface OidcServer {
  provider: TestProvider;
  server: TestServer;
  /** The server's clock; milliseconds since 1970. */
  clock: { now: number };
  /** The server's log lines, at its finest level. */
  log: readonly string[];
  addPerson: (claims?: Partial<ProviderPerson>) => Person;
  invite: (email: string, workspaceId?: string, role?: Role) => Promise<{ userId: string; token: string }>;
  begin: (own?: Browser, workspaceId?: string) => Promise<Answer>;
  /** Goes to the provider and comes back. */
  signIn: (name: string, place?: Place) => Promise<Answer>;
  /** Adds a person who was invited, and has signed in at the provider. */
  addMember: () => Promise<Person & { userId: string; own: Browser }>;
  close: () => Promise<void>;
}

export async function startOidcServer(): Promise<OidcServer> {
  const clock = { now: Date.UTC(2026, 0, 2) };
  const log: string[] = [];
  const provider = await startProvider();
  const server = await startTestServer({
    clock: () => clock.now,
    oidc: provider.settings,
    log: { write: (line) => log.push(line) },
    logLevel: 'trace',
  });
  await server.administration.workspaces.create('bank');

  const addPerson = (claims: Partial<ProviderPerson> = {}): Person => {
    const number = provider.people.size + 1;
    const name = `ada-${number}`;
    const person = { sub: `subject-${number}`, email: `${name}@example.com`, email_verified: true, ...claims };
    provider.people.set(name, person);
    return { name, email: person.email, sub: person.sub };
  };
  const invite = async (email: string, workspaceId = 'shop', role: Role = 'editor') => {
    const invited = await server.administration.users.invite({ workspaceId, email, role, by: undefined });
    if (typeof invited === 'string') throw new Error(invited);
    return { userId: invited.user.userId, token: invited.link.token };
  };
  const signIn = async (name: string, { own = new Browser(server), workspaceId = 'shop' }: Place = {}) =>
    own.finishOidcSignIn(await own.visitProvider(provider, name, workspaceId), workspaceId);

  return {
    provider,
    server,
    clock,
    log,
    addPerson,
    invite,
    begin: (own = new Browser(server), workspaceId = 'shop') =>
      own.call('POST', `/workspaces/${workspaceId}/oidc-sign-ins/v1`),
    signIn,
    async addMember() {
      const person = addPerson();
      const { userId } = await invite(person.email);
      const own = new Browser(server);
      clock.now += 1;
      expect((await signIn(person.name, { own })).status).toBe(201);
      return { ...person, userId, own };
    },
    async close() {
      await server.close();
      await provider.close();
    },
  };
}
