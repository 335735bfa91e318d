import {
  type ContractDocument,
  follow,
  type SecurityRequirement,
  type SecurityScheme,
  toPointer,
} from '@branchline/contract';

/** What a security scheme is satisfied with: HTTP Basic takes a name and a secret, every other scheme a token. */
export type Credential = { name: string; secret: string } | { token: string };

/** What credentials add to a request. Values are secret; `redact` lists them. */
export interface Authentication {
  headers: Record<string, string>;
  query: Record<string, string>;
  cookies: Record<string, string>;
}

export const anonymous: Authentication = { headers: {}, query: {}, cookies: {} };

/** The sentence for a case that cannot run for want of credentials. */
export interface Missing {
  missing: string;
}

/**
 * Satisfies the first security requirement for which the caller gave all credentials.
 *
 * @param credentials by the name of the security scheme.
 */
export function authenticate(
  document: ContractDocument,
  security: readonly SecurityRequirement[],
  credentials: Record<string, Credential>,
): Authentication | Missing {
  const wanted = security.find((requirement) =>
    Object.keys(requirement).every((name) => Object.hasOwn(credentials, name)),
  );
  if (wanted !== undefined) return combined(document, wanted, (name) => credentials[name]);
  const names = security.map((requirement) => Object.keys(requirement).join(' and '));
  return { missing: `No credentials were given for ${names.join(', nor for ')}.` };
}

/** Well-formed credentials that nobody was given: a known name with another secret, or an unknown token. */
export function misauthenticate(
  document: ContractDocument,
  security: readonly SecurityRequirement[],
  credentials: Record<string, Credential>,
): Authentication {
  return combined(document, security[0] ?? {}, (scheme) => {
    const known = credentials[scheme];
    const name = known !== undefined && 'name' in known ? known.name : 'nobody';
    return basic(schemeNamed(document, scheme)) ? { name, secret: 'not-the-secret' } : { token: 'not-the-token' };
  });
}

function combined(
  document: ContractDocument,
  requirement: SecurityRequirement,
  credentialOf: (scheme: string) => Credential | undefined,
): Authentication {
  const all: Authentication = { headers: {}, query: {}, cookies: {} };
  for (const name of Object.keys(requirement)) {
    const credential = credentialOf(name);
    if (credential !== undefined) add(all, schemeNamed(document, name), credential);
  }
  return all;
}

function schemeNamed(document: ContractDocument, name: string): SecurityScheme {
  return follow<SecurityScheme>(document, toPointer(['components', 'securitySchemes', name])).value;
}

function basic(scheme: SecurityScheme): boolean {
  return scheme.type === 'http' && scheme.scheme?.toLowerCase() === 'basic';
}

function add(all: Authentication, scheme: SecurityScheme, credential: Credential): void {
  if ('name' in credential) {
    const pair = Buffer.from(`${credential.name}:${credential.secret}`, 'utf8').toString('base64');
    all.headers['authorization'] = `Basic ${pair}`;
  } else if (scheme.type !== 'apiKey') {
    all.headers['authorization'] = `Bearer ${credential.token}`;
  } else if (scheme.in === 'query') {
    all.query[scheme.name ?? ''] = credential.token;
  } else if (scheme.in === 'cookie') {
    all.cookies[scheme.name ?? ''] = credential.token;
  } else {
    all.headers[(scheme.name ?? '').toLowerCase()] = credential.token;
  }
}
