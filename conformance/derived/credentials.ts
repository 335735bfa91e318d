import {
  type Case,
  type ContractDocument,
  follow,
  operationAt,
  type SecurityRequirement,
  type SecurityScheme,
  toPointer,
} from '@branchline/contract';

/** What a security scheme is satisfied with: HTTP Basic takes a name and a secret, every other scheme a token. */
export type Credential = { name: string; secret: string } | { token: string };

/** What credentials add to a request. Values are secret. */
export interface Authentication {
  headers: Record<string, string>;
  query: Record<string, string>;
  cookies: Record<string, string>;
}

export const anonymous: Authentication = { headers: {}, query: {}, cookies: {} };

/** The sentence for a case that can't run without credentials. */
export interface Missing {
  missing: string;
}

/** The authentication that a case wants, or why it can't be had. */
export function chooseAuthentication(
  document: ContractDocument,
  { method, path, request }: Case,
  credentials: Record<string, Credential>,
): Authentication | Missing {
  const security = operationAt(document, method, path)?.security ?? [];
  if (request.authentication === 'valid') return authenticate(document, security, credentials);
  if (request.authentication === 'wrong') return misauthenticate(document, security, credentials);
  return anonymous;
}

/** Every text of the credentials that must not come into a report. */
export function listSecrets(credentials: Record<string, Credential>): string[] {
  return Object.values(credentials).flatMap((credential) =>
    'token' in credential ? [credential.token] : [credential.secret, encodePair(credential)],
  );
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
  if (wanted !== undefined) return combine(document, wanted, (name) => credentials[name]);
  const names = security.map((requirement) => Object.keys(requirement).join(' and '));
  const [first = ''] = security.flatMap((requirement) => Object.keys(requirement));
  return {
    missing: `No credentials were given for ${names.join(', nor for ')}; --credential '${first}=…' gives some.`,
  };
}

const WRONG_SECRET = 'not-the-secret';
const WRONG_TOKEN = 'not-the-token';

/** Credentials that are wrong on purpose, as they are sent: no secrets. */
export function listWrong(credentials: Record<string, Credential>): string[] {
  const names = Object.values(credentials).flatMap((credential) => ('name' in credential ? [credential.name] : []));
  return [WRONG_TOKEN, ...[NOBODY, ...names].map((name) => encodePair({ name, secret: WRONG_SECRET }))];
}

const NOBODY = 'nobody';

/** Well-formed credentials that are invalid: a known name with another secret, or an unknown token. */
export function misauthenticate(
  document: ContractDocument,
  security: readonly SecurityRequirement[],
  credentials: Record<string, Credential>,
): Authentication {
  return combine(document, security[0] ?? {}, (scheme) => {
    const known = credentials[scheme];
    const name = known !== undefined && 'name' in known ? known.name : NOBODY;
    return isBasic(findScheme(document, scheme)) ? { name, secret: WRONG_SECRET } : { token: WRONG_TOKEN };
  });
}

function combine(
  document: ContractDocument,
  requirement: SecurityRequirement,
  findCredential: (scheme: string) => Credential | undefined,
): Authentication {
  const all: Authentication = { headers: {}, query: {}, cookies: {} };
  for (const name of Object.keys(requirement)) {
    const credential = findCredential(name);
    if (credential !== undefined) add(all, findScheme(document, name), credential);
  }
  return all;
}

function findScheme(document: ContractDocument, name: string): SecurityScheme {
  return follow<SecurityScheme>(document, toPointer(['components', 'securitySchemes', name])).value;
}

function isBasic(scheme: SecurityScheme): boolean {
  return scheme.type === 'http' && scheme.scheme?.toLowerCase() === 'basic';
}

function add(all: Authentication, scheme: SecurityScheme, credential: Credential): void {
  if ('name' in credential) {
    all.headers['authorization'] = `Basic ${encodePair(credential)}`;
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

function encodePair({ name, secret }: { name: string; secret: string }): string {
  return Buffer.from(`${name}:${secret}`, 'utf8').toString('base64');
}
