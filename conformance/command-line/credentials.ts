import { readGivenFile } from '../given-file.ts';
import { CouldNotRun } from '../could-not-run.ts';
import type { Credential } from '../derived/credentials.ts';
import type { SecurityScheme } from '@branchline/contract';

/** Credentials for the security schemes of a contract. */
export interface GivenCredentials {
  readonly credentials: Record<string, Credential>;
  /** By the credentials as they are sent: the environment variable that stands for them in reports. */
  readonly variables: ReadonlyMap<string, string>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What a variable's name begins with; the name of the scheme follows. */
const PREFIX = 'BRANCHLINE_CREDENTIAL_';

/**
 * Credentials from options, else from a file, else from the environment.
 *
 * @param schemes - of the contract, by name.
 * @throws CouldNotRun with a sentence for what is none, or is for no scheme of the contract.
 */
export function readCredentials(
  { credential = [], credentialFile }: { readonly credential?: readonly string[]; readonly credentialFile?: string },
  schemes: ReadonlyMap<string, SecurityScheme>,
  environment: Environment,
): GivenCredentials {
  const written = [...listFiled(credentialFile), ...credential.map((text) => ({ text, source: '--credential' }))];
  const texts = new Map(written.map(({ text, source }) => splitCredential(text, source, schemes)));
  for (const scheme of schemes.keys()) {
    const text = environment[nameVariable(scheme)];
    if (text !== undefined && text !== '' && !texts.has(scheme)) texts.set(scheme, text);
  }
  const entries = [...texts].map(
    ([scheme, text]) => [scheme, parseCredential(scheme, schemes.get(scheme), text)] as const,
  );
  const variables = entries.map(([scheme, credential_]): [string, string] => [
    writeCredential(credential_),
    nameVariable(scheme),
  ]);
  return { credentials: Object.fromEntries(entries), variables: new Map(variables) };
}

/** The environment variable that holds the credential of a scheme: `BRANCHLINE_CREDENTIAL_API_KEY` for `api_key`. */
export function nameVariable(scheme: string): string {
  return PREFIX + scheme.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase();
}

/** Blank lines and lines that begin with # are left out. */
function listFiled(path: string | undefined): { text: string; source: string }[] {
  if (path === undefined) return [];
  return readGivenFile(path, '--credential-file')
    .split(/\r?\n/)
    .flatMap((text, index) =>
      text.trim() === '' || text.startsWith('#') ? [] : [{ text, source: `Line ${index + 1} of ${path}` }],
    );
}

function splitCredential(
  text: string,
  source: string,
  schemes: ReadonlyMap<string, SecurityScheme>,
): [scheme: string, text: string] {
  const known = schemes.size === 0 ? 'the contract has none' : `the contract has ${[...schemes.keys()].join(', ')}`;
  const sign = text.indexOf('=');
  if (sign < 1 || sign === text.length - 1)
    throw new CouldNotRun(`${source} must be scheme=credential, with a security scheme of the contract (${known}).`);
  const scheme = text.slice(0, sign);
  if (!schemes.has(scheme)) throw new CouldNotRun(`${source}: there is no security scheme "${scheme}"; ${known}.`);
  return [scheme, text.slice(sign + 1)];
}

function parseCredential(name: string, scheme: SecurityScheme | undefined, text: string): Credential {
  if (scheme?.type !== 'http' || scheme.scheme?.toLowerCase() !== 'basic') return { token: text };
  const colon = text.indexOf(':');
  if (colon < 1)
    throw new CouldNotRun(`The credential of "${name}" must be name:secret, since the scheme is HTTP Basic.`);
  return { name: text.slice(0, colon), secret: text.slice(colon + 1) };
}

function writeCredential(credential: Credential): string {
  return 'token' in credential
    ? credential.token
    : Buffer.from(`${credential.name}:${credential.secret}`, 'utf8').toString('base64');
}
