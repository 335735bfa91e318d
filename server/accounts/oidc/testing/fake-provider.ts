import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { OidcSettings } from '../settings.ts';

/** An answer of the fake. */
export interface FakeAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** An object becomes JSON. Left out: none ever comes. */
  body?: object | string;
}

type Endpoint = 'discovery' | 'token' | 'keys' | 'userinfo';

/** A fake of a provider, which makes any mistake that it is told to. What is right of it is tried with a real one. */
export interface FakeProvider {
  settings: OidcSettings;
  /** What it answers with in place of what is right. */
  faults: Partial<Record<Endpoint, FakeAnswer>>;
  /** What its metadata say otherwise. */
  metadata: object;
  /** What its next ID tokens say otherwise, asked as each is made; undefined leaves a claim out. */
  claims: () => object;
  userinfo: object;
  /** Which endpoints were asked, in their order, with the credentials that came along. */
  asked: { endpoint: Endpoint; authorization: string | undefined; form: URLSearchParams }[];
  /** Signs with another key from now on; whether it also publishes that. */
  rotateKeys: (options?: { publish?: boolean }) => void;
  close: () => Promise<void>;
}

const PATHS: Readonly<Record<string, Endpoint>> = {
  '/.well-known/openid-configuration': 'discovery',
  '/token': 'token',
  '/keys': 'keys',
  '/me': 'userinfo',
};

/** @param nonce which its ID tokens have */
export async function startFakeProvider(nonce: string): Promise<FakeProvider> {
  let key = newKey();
  let published = key;

  const right: Record<Endpoint, () => object> = {
    discovery: () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/me`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...fake.metadata,
    }),
    token: () => ({
      access_token: 'an-access-token',
      token_type: 'Bearer',
      id_token: idToken(key, { ...usualClaims(issuer, nonce), ...fake.claims() }),
    }),
    keys: () => ({ keys: [{ ...published.publicKey.export({ format: 'jwk' }), kid: published.kid, use: 'sig' }] }),
    userinfo: () => fake.userinfo,
  };

  const server = createServer(async (request, response) => {
    const endpoint = PATHS[request.url ?? ''];
    if (endpoint === undefined) return void response.writeHead(404).end();
    const form = new URLSearchParams(await text(request));
    fake.asked.push({ endpoint, authorization: request.headers.authorization, form });
    const { status = 200, headers, body } = fake.faults[endpoint] ?? { body: right[endpoint]() };
    if (body === undefined) return;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

  const fake: FakeProvider = {
    settings: { issuer, clientId: 'branchline', clientSecret: 'the-client-secret' },
    faults: {},
    metadata: {},
    claims: () => ({}),
    userinfo: {},
    asked: [],
    rotateKeys({ publish = true } = {}) {
      key = newKey();
      if (publish) published = key;
    },
    close: () => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()),
  };
  return fake;
}

interface Key {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

function newKey(): Key {
  return { ...generateKeyPairSync('rsa', { modulusLength: 2_048 }), kid: randomUUID() };
}

/** Seconds since 1970, as tokens have it. */
export function secondsFromNow(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds;
}

function usualClaims(issuer: string, nonce: string): Record<string, unknown> {
  const times = { iat: secondsFromNow(0), exp: secondsFromNow(300) };
  const person = { sub: 'subject-1', email: 'ada@example.com', email_verified: true };
  return { iss: issuer, aud: 'branchline', nonce, ...times, ...person };
}

function idToken({ kid, privateKey }: Key, claims: object): string {
  const parts = [{ alg: 'RS256', kid }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signed = parts.join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
}
