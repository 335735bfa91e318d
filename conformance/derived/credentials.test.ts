import { describe, expect, test } from 'vitest';
import type { ContractDocument } from '@branchline/contract';
import { type Credential, anonymous, authenticate, misauthenticate } from './credentials.ts';

const document: ContractDocument = {
  openapi: '3.1.0',
  components: {
    securitySchemes: {
      basic: { type: 'http', scheme: 'Basic' },
      bearer: { type: 'http', scheme: 'bearer' },
      oauth: { $ref: '#/components/securitySchemes/oauthWritten' },
      oauthWritten: { type: 'oauth2' },
      header: { type: 'apiKey', in: 'header', name: 'Api-Key' },
      query: { type: 'apiKey', in: 'query', name: 'key' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
    },
  },
};

const credentials: Record<string, Credential> = {
  basic: { name: 'äda', secret: 'a:b' },
  bearer: { token: 't1' },
  oauth: { token: 't2' },
  header: { token: 'k1' },
  query: { token: 'k2' },
  cookie: { token: 'k3' },
};

const pair = Buffer.from('äda:a:b', 'utf8').toString('base64');

describe('valid credentials', () => {
  test.each([
    { scheme: 'basic', want: { headers: { authorization: `Basic ${pair}` } } },
    { scheme: 'bearer', want: { headers: { authorization: 'Bearer t1' } } },
    { scheme: 'oauth', want: { headers: { authorization: 'Bearer t2' } } },
    { scheme: 'header', want: { headers: { 'api-key': 'k1' } } },
    { scheme: 'query', want: { query: { key: 'k2' } } },
    { scheme: 'cookie', want: { cookies: { session: 'k3' } } },
  ])('of the scheme $scheme', ({ scheme, want }) => {
    expect(authenticate(document, [{ [scheme]: [] }], credentials)).toEqual({ ...anonymous, ...want });
  });

  test('of all schemes of a requirement, and of the first requirement that can be met', () => {
    const security = [{ unknown: [] }, { header: [], query: [] }, { bearer: [] }];
    expect(authenticate(document, security, credentials)).toEqual({
      headers: { 'api-key': 'k1' },
      query: { key: 'k2' },
      cookies: {},
    });
  });

  test('that were not given are told by name', () => {
    const security = [{ basic: [], header: [] }, { bearer: [] }];
    expect(authenticate(document, security, {})).toEqual({
      missing: "No credentials were given for basic and header, nor for bearer; --credential 'basic=…' gives some.",
    });
  });
});

describe('wrong credentials', () => {
  test('are the known name with another secret', () => {
    const { headers } = misauthenticate(document, [{ basic: [] }], credentials);
    const sent = Buffer.from(String(headers['authorization']).replace('Basic ', ''), 'base64').toString();
    expect(sent).toMatch(/^äda:/);
    expect(sent).not.toContain('a:b');
  });

  test('are well-formed also where none are known', () => {
    const { headers, query } = misauthenticate(document, [{ basic: [], query: [] }], {});
    expect(headers['authorization']).toMatch(/^Basic [A-Za-z0-9+/=]+$/);
    expect(query['key']).toMatch(/./);
  });
});
