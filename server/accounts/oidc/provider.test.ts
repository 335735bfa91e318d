import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lookUpInTurn } from './lookups.ts';
import { OidcProvider } from './provider.ts';
import { ProviderFailure } from './provider-failure.ts';
import type { SignInAttempt } from './sign-in-attempts.ts';
import { type FakeAnswer, type FakeProvider, secondsFromNow, startFakeProvider } from './testing/fake-provider.ts';

const HOUR = 3_600_000;
const REDIRECT_URI = 'https://web.example/sign-in/oidc';

const ATTEMPT: SignInAttempt = {
  state: 'shop.the-state',
  nonce: 'the-nonce',
  codeVerifier: 'v'.repeat(43),
  issuer: 'https://login.example',
  expiresAt: Number.MAX_SAFE_INTEGER,
};

let fake: FakeProvider;
let provider: OidcProvider;
let now = 0;

beforeEach(async () => {
  fake = await startFakeProvider(ATTEMPT.nonce);
  provider = new OidcProvider({ settings: fake.settings, clock: () => now });
});
afterEach(() => fake.close());

const identify = (query = 'code=the-code&state=shop.the-state') =>
  provider.identify(new URL(`${REDIRECT_URI}?${query}`), ATTEMPT, '192.0.2.1');
const reason = async (failing: Promise<unknown>): Promise<string> => {
  const error = await failing.then(
    (found) => new Error(`It found ${JSON.stringify(found)}.`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ProviderFailure);
  const { message } = error as ProviderFailure;
  for (const secret of ['the-code', 'the-client-secret', 'an-access-token', ATTEMPT.codeVerifier]) {
    expect(message).not.toContain(secret);
  }
  return message;
};
const asked = () => fake.asked.map(({ endpoint }) => endpoint);

describe('an identity', () => {
  it('is the issuer, the subject and the e-mail of a token that is right', async () => {
    expect(await identify()).toEqual({
      issuer: fake.settings.issuer,
      subject: 'subject-1',
      verifiedEmail: 'ada@example.com',
      hasUnusableEmail: false,
    });
    expect(asked()).toEqual(['discovery', 'token', 'keys']);
  });

  it.each([
    ['false', { email_verified: false }],
    ['the text "true"', { email_verified: 'true' }],
    ['no e-mail', { email: '' }],
    ['what is no e-mail', { email: 'ada' }],
    ['one with a sign that would be taken for the letter of another', { email: 'jac\u212a@example.com' }],
  ])('has no e-mail where the provider says %s', async (_what, claims) => {
    fake.claims = () => claims;
    expect(await identify()).toMatchObject({ subject: 'subject-1', verifiedEmail: undefined });
  });

  it('has the e-mail that UserInfo says, where the ID token says none', async () => {
    fake.claims = () => ({ email: undefined, email_verified: undefined });
    fake.userinfo = { sub: 'subject-1', email: 'grace@example.com', email_verified: true };
    expect(await identify()).toMatchObject({ verifiedEmail: 'grace@example.com' });
    fake.metadata = { userinfo_endpoint: undefined };
    now += HOUR;
    expect(await identify()).toMatchObject({ verifiedEmail: undefined });
  });

  it('is not taken from the UserInfo of somebody else', async () => {
    fake.claims = () => ({ email: undefined });
    fake.userinfo = { sub: 'subject-2', email: 'grace@example.com', email_verified: true };
    expect(await reason(identify())).toMatch(/^unexpected JSON attribute value/);
  });
});

describe('a token', () => {
  it.each<[string, () => object]>([
    ['of another issuer', () => ({ iss: 'http://127.0.0.1:1' })],
    ['for another client', () => ({ aud: 'another' })],
    ['that was issued to another client', () => ({ azp: 'another' })],
    ['with another nonce', () => ({ nonce: 'another' })],
    ['without a nonce', () => ({ nonce: undefined })],
    ['that has run out', () => ({ exp: secondsFromNow(-120) })],
    ['of tomorrow', () => ({ nbf: secondsFromNow(86_400) })],
    ['that was made in two minutes', () => ({ iat: secondsFromNow(120) })],
    ['without a subject', () => ({ sub: undefined })],
    ['with an endless subject', () => ({ sub: 'x'.repeat(256) })],
    ['with a subject that no database holds', () => ({ sub: 'a\u0000b' })],
  ])('%s is refused', async (_what, claims) => {
    fake.claims = claims;
    expect(await reason(identify())).toMatch(/./);
  });

  it.each<[string, () => object]>([
    ['behind', () => ({ exp: secondsFromNow(-45) })],
    ['ahead', () => ({ iat: secondsFromNow(45), nbf: secondsFromNow(45) })],
  ])('of a clock that is 45 seconds %s is taken', async (_where, claims) => {
    fake.claims = claims;
    expect(await identify()).toMatchObject({ subject: 'subject-1' });
  });

  it('that names us as the client it was issued to is taken', async () => {
    fake.claims = () => ({ azp: fake.settings.clientId });
    expect(await identify()).toMatchObject({ subject: 'subject-1' });
  });

  it('that is signed with a key which the provider does not publish is refused', async () => {
    fake.rotateKeys({ publish: false });
    expect(await reason(identify())).toMatch(/no applicable keys/);
  });

  it('that is not signed is refused', async () => {
    const [header, claims] = [{ alg: 'none' }, {}].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    fake.faults.token = { body: { access_token: 'x', token_type: 'Bearer', id_token: `${header}.${claims}.` } };
    expect(await reason(identify())).toMatch(/./);
  });
});

describe('keys and metadata', () => {
  it('are asked for once, and again after an hour', async () => {
    await identify();
    now += HOUR - 1;
    await identify();
    expect(asked()).toEqual(['discovery', 'token', 'keys', 'token']);
    now += 1;
    await identify();
    expect(asked().slice(4)).toEqual(['discovery', 'token', 'keys']);
  });

  it('are asked for by one of those who come at once', async () => {
    await Promise.all([1, 2, 3].map(() => provider.authorizationUrl(ATTEMPT, REDIRECT_URI)));
    expect(asked()).toEqual(['discovery']);
  });

  it('are used on while the provider can not say them again', async () => {
    await identify();
    now += HOUR;
    fake.faults.discovery = { status: 503, body: {} };
    expect(await identify()).toMatchObject({ subject: 'subject-1' });
  });

  it('that have changed are known to the next who signs in', async () => {
    await identify();
    fake.rotateKeys();
    expect(await reason(identify())).toMatch(/no applicable keys/);
    expect(await identify()).toMatchObject({ subject: 'subject-1' });
  });
});

describe('the client secret', () => {
  const last = () => fake.asked.find(({ endpoint }) => endpoint === 'token');

  it.each([[undefined], [['client_secret_post', 'client_secret_basic']]])('goes as Basic where %j', async (methods) => {
    fake.metadata = { token_endpoint_auth_methods_supported: methods };
    await identify();
    expect(last()?.authorization).toMatch(/^Basic /);
    expect(last()?.form.has('client_secret')).toBe(false);
  });

  it('goes in the form where the provider takes it there alone', async () => {
    fake.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    await identify();
    expect(last()?.authorization).toBeUndefined();
    expect(last()?.form.get('client_secret')).toBe('the-client-secret');
  });

  it.each<[string, FakeAnswer]>([
    [
      'in the body',
      { status: 401, body: { error: 'invalid_client', error_description: 'the-client-secret is wrong' } },
    ],
    ['in a header', { status: 401, headers: { 'www-authenticate': 'Basic error="invalid_client"' }, body: {} }],
    ['with another status', { status: 400, body: { error: 'invalid_client' } }],
  ])('that is wrong, said %s, is said to the operator', async (_where, answer) => {
    fake.faults.token = answer;
    expect(await reason(identify())).toMatch(
      /check --oidc-client-id and the client secret \(40[01] "invalid_client"\)/,
    );
  });
});

describe('a provider', () => {
  const begin = () => provider.authorizationUrl(ATTEMPT, REDIRECT_URI);

  it('that is away can not be used', async () => {
    await fake.close();
    expect(await reason(begin())).toBe("it can't be reached (ECONNREFUSED)");
  });

  it.each<[string, RegExp, (issuer: string) => FakeAnswer]>([
    ['answers with an error', /\(503\)$/, () => ({ status: 503, body: {} })],
    ['leads elsewhere', /\(302\)$/, () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: {} })],
    ['answers with what is no JSON', /^parsing error/, () => ({ body: '<html>' })],
    ['answers with too much', /^its answer is larger than 512 KiB$/, () => ({ body: 'x'.repeat(600_000) })],
    ['calls itself otherwise', /issuer/, () => ({ body: { issuer: 'https://evil.example' } })],
    ['has no place to sign in', /^its metadata names no authorization_endpoint$/, (issuer) => ({ body: { issuer } })],
    [
      'has a state of its own in the place to sign in',
      /^its authorization_endpoint has a "state" of its own$/,
      (issuer) => ({
        body: {
          issuer,
          authorization_endpoint: `${issuer}/authorize?a=b&state=x`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
        },
      }),
    ],
    [
      'gives no tokens',
      /^its metadata names no token_endpoint$/,
      (issuer) => ({ body: { issuer, authorization_endpoint: `${issuer}/authorize` } }),
    ],
    [
      'has people sign in where others can read along',
      /^its authorization_endpoint is not https/,
      (issuer) => ({ body: { issuer, authorization_endpoint: 'http://login.example/authorize' } }),
    ],
    ...['token_endpoint', 'userinfo_endpoint', 'jwks_uri'].map(
      (name): [string, RegExp, (issuer: string) => FakeAnswer] => [
        `has its ${name} where others can read along`,
        new RegExp(`^its ${name} is not https`),
        (issuer) => ({
          body: { issuer, authorization_endpoint: `${issuer}/authorize`, [name]: 'http://login.example/' },
        }),
      ],
    ),
  ])('that %s can not be used', async (_what, why, answer) => {
    fake.faults.discovery = answer(fake.settings.issuer);
    expect(await reason(begin())).toMatch(why);
    // It is asked again at once.
    fake.faults = {};
    expect(await begin()).toContain('code_challenge=');
  });

  it.each(['discovery', 'token'] as const)(
    'whose endpoint for %s never answers is not waited for',
    async (endpoint) => {
      fake.faults[endpoint] = {};
      provider = new OidcProvider({ settings: fake.settings, clock: () => now, timeoutSeconds: 1 });
      expect(await reason(identify())).toMatch(/timed out/);
    },
  );

  it.each(['discovery', 'token', 'keys', 'userinfo'] as const)(
    'whose endpoint for %s changes to another protocol is not waited for, and can be used when it answers again',
    async (endpoint) => {
      fake.claims = () => ({ email: undefined });
      fake.userinfo = { sub: 'subject-1' };
      fake.faults[endpoint] = { status: 101, headers: { upgrade: 'x', connection: 'upgrade' }, body: '' };
      // More than may ask at once.
      for (let sign = 0; sign < 25; sign += 1) expect(await reason(identify())).toContain('another protocol (101)');
      fake.faults = {};
      expect(await identify()).toMatchObject({ subject: 'subject-1' });
    },
  );

  it('whose name nobody finds is not waited for, and is looked up once, however many sign in', async () => {
    const looked: string[] = [];
    const lookup = lookUpInTurn((name) => {
      looked.push(name);
      return new Promise(() => {});
    });
    const settings = { ...fake.settings, issuer: 'https://login.example' };
    provider = new OidcProvider({ settings, clock: () => now, timeoutSeconds: 0.05, lookup });
    for (let sign = 0; sign < 5; sign += 1) expect(await reason(begin())).toMatch(/timed out/);
    expect(looked).toEqual(['login.example']);
  });

  it('that names another issuer on the way back is another one', async () => {
    expect(await reason(identify('code=the-code&state=shop.the-state&iss=https://evil.example'))).toMatch(
      /invalid response/,
    );
    fake.metadata = { authorization_response_iss_parameter_supported: true };
    now += HOUR;
    expect(await reason(identify())).toMatch(/invalid response/);
    expect(asked()).not.toContain('token');
  });

  it.each([
    ['denied', 'error=access_denied&state=shop.the-state'],
    ['over', 'code=the-code&state=shop.the-state'],
  ])('says %s', async (outcome, query) => {
    fake.faults.token = { status: 400, body: { error: 'invalid_grant' } };
    expect(await identify(query)).toBe(outcome);
  });

  it('that sends back another error fails, and what it says gets into no log as it is', async () => {
    expect(await reason(identify('error=server_error%0A%22&state=shop.the-state'))).toBe(
      'it sends the browser back with the error "server_error"',
    );
  });

  it('that sends back what it was sent as an error code has it in no log', async () => {
    fake.faults.token = { status: 400, body: { error: 'S3cretOfTheClient' } };
    expect(await reason(identify())).toBe('it answers 400 with what looks like no error code');
  });

  it('is sent state, nonce, and what proves the code verifier without telling it', async () => {
    const url = new URL(await begin());
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'branchline',
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'openid email',
      state: ATTEMPT.state,
      nonce: ATTEMPT.nonce,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(url.href).not.toContain(ATTEMPT.codeVerifier);
    await identify();
    expect(fake.asked.find(({ endpoint }) => endpoint === 'token')?.form.get('code_verifier')).toBe(
      ATTEMPT.codeVerifier,
    );
  });
});
