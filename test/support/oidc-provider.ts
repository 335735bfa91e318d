import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { parseSetCookie } from 'cookie';
import { type Configuration, Provider } from 'oidc-provider';
import type { OidcSettings } from '../../server/accounts/oidc/settings.ts';

/** What the provider says of somebody. */
export interface ProviderPerson {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
}

export interface ProviderOptions {
  /** Left out: that of a test server behind a proxy. */
  redirectUri?: () => string;
  /** Whether the e-mail stands in the ID token too, as at the largest providers. Defaults to false: only UserInfo has it. */
  emailInIdToken?: boolean;
}

/** A real, certified provider on this machine, at which whoever is known signs in by their name. */
export interface TestProvider {
  settings: OidcSettings;
  /** By the name with which they sign in. What is changed holds from now on. */
  people: Map<string, ProviderPerson>;
  /** Goes through the provider's pages as a browser without a session there does; the query that it comes back with. */
  signIn: (authorizationUrl: string, name: string) => Promise<string>;
  /** The same, of somebody who does not agree. */
  refuse: (authorizationUrl: string) => Promise<string>;
  /** Signs with another key from now on, and forgets what it has issued. */
  rotateKeys: () => void;
  close: () => Promise<void>;
}

const CLIENT = { clientId: 'branchline', clientSecret: 'a secret of 32 characters at least' };

const REDIRECT_URI = 'https://web.example/sign-in/oidc';

export async function startProvider({
  redirectUri = () => REDIRECT_URI,
  emailInIdToken = false,
}: ProviderOptions = {}): Promise<TestProvider> {
  const people = new Map<string, ProviderPerson>();
  let handle: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const server = createServer((request, response) => {
    handle ??= providerAt(issuer, { people, redirectUri: redirectUri(), emailInIdToken });
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  // Another site than the server's own address, which is 127.0.0.1.
  const issuer = `http://localhost:${typeof address === 'object' ? address?.port : ''}`;
  return {
    settings: { issuer, ...CLIENT },
    people,
    signIn: (authorizationUrl, name) => comeBack(authorizationUrl, { name }),
    refuse: (authorizationUrl) => comeBack(authorizationUrl, { refuse: 'yes' }),
    rotateKeys: () => (handle = undefined),
    close: () => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()),
  };
}

interface Registered extends Required<Omit<ProviderOptions, 'redirectUri'>> {
  people: ReadonlyMap<string, ProviderPerson>;
  redirectUri: string;
}

function providerAt(issuer: string, { people, redirectUri, emailInIdToken }: Registered) {
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [newKey()] },
    cookies: { keys: [randomUUID()] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: !emailInIdToken,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_context, sub) => {
      const person = [...people.values()].find((one) => one.sub === sub);
      return person && { accountId: sub, claims: () => ({ ...person }) };
    },
    loadExistingGrant: (context) => {
      const { client, provider: own, session } = context.oidc;
      const grant = new own.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope('openid email');
      return grant.save().then(() => grant);
    },
  } satisfies Configuration);
  const protocol = provider.callback();
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url?.startsWith('/interaction/') === true) void interact(provider, people, request, response);
    else void protocol(request, response);
  };
}

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };
}

const PAGE = `<!doctype html><title>Provider</title><form method="post">
<label>Name <input name="name"></label><button>Sign in</button><button name="refuse" value="yes">Refuse</button></form>`;

async function interact(
  provider: Provider,
  people: ReadonlyMap<string, ProviderPerson>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'GET') return void response.setHeader('content-type', 'text/html').end(PAGE);
  const form = new URLSearchParams(await text(request));
  const result = form.has('refuse')
    ? { error: 'access_denied', error_description: 'They refused.' }
    : { login: { accountId: people.get(form.get('name') ?? '')?.sub ?? '' } };
  await provider.interactionFinished(request, response, result);
}

/** Follows redirects, and fills in the form, until they lead to another host. */
async function comeBack(authorizationUrl: string, form: Record<string, string>): Promise<string> {
  const jar = new Map<string, string>();
  const { host } = new URL(authorizationUrl);
  let url = new URL(authorizationUrl);
  let body: URLSearchParams | undefined;
  for (let steps = 0; steps < 10; steps += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = body === undefined ? {} : { method: 'POST', body };
    const answer = await fetch(url, { ...sent, headers: { cookie }, redirect: 'manual' });
    for (const header of answer.headers.getSetCookie()) {
      const { name, value = '' } = parseSetCookie(header);
      jar.set(name, value);
    }
    const location = answer.headers.get('location');
    const page = await answer.text();
    if (location === null && body === undefined && page === PAGE) {
      body = new URLSearchParams(form);
      continue;
    }
    if (location === null) throw new Error(`The provider answers ${answer.status}: ${page}`);
    body = undefined;
    url = new URL(location, url);
    if (url.host !== host) return url.search.slice(1);
  }
  throw new Error('The provider leads in circles.');
}
