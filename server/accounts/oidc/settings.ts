import { readFileSync } from 'node:fs';
import { UserError } from '@branchline/command-line';
import type { Config } from '../../config.ts';

/** The OIDC provider at which people sign in, and what this server is known by there. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

type OidcConfig = Pick<Config, 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'oidcClientSecretFile'>;

/**
 * The provider that the operator named, with the secret from wherever it is.
 *
 * @returns undefined when none is named
 * @throws UserError when something is missing or given twice, or the file of the secret can't be read
 */
export function oidcSettings(config: OidcConfig): OidcSettings | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId } = config;
  const clientSecret = secretOf(config);
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined;
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined)
    return { issuer, clientId, clientSecret };
  throw new UserError(
    'Signing in by OIDC takes --oidc-issuer, --oidc-client-id and the client secret, in the environment variable ' +
      'BRANCHLINE_OIDC_CLIENT_SECRET or the file of --oidc-client-secret-file: give all three, or none.',
  );
}

function secretOf({ oidcClientSecret: secret, oidcClientSecretFile: file }: OidcConfig): string | undefined {
  if (file === undefined) return secret;
  if (secret !== undefined) {
    throw new UserError('The OIDC client secret is given twice, as itself and as a file: leave one of them out.');
  }
  const content = read(file).trim();
  if (content === '') throw new UserError(`The file ${file} of --oidc-client-secret-file is empty.`);
  return content;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`The file of --oidc-client-secret-file can't be read: ${reason}.`);
  }
}
