import { UserError } from '@branchline/command-line';
import type { Config } from '../../config.ts';
import { readSecret } from '../../secret-file.ts';

/** The OIDC provider that people sign in with, and this server's registration there. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

type OidcConfig = Pick<Config, 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'oidcClientSecretFile'>;

/**
 * Reads the configured provider, with the secret from the setting or its file.
 *
 * @returns undefined if none is configured
 * @throws UserError if a setting is missing or given twice, or the secret's file can't be read
 */
export async function oidcSettings(config: OidcConfig): Promise<OidcSettings | undefined> {
  const { oidcIssuer: issuer, oidcClientId: clientId } = config;
  const clientSecret = await readSecret({
    secret: config.oidcClientSecret,
    file: config.oidcClientSecretFile,
    what: 'OIDC client secret',
    flag: '--oidc-client-secret-file',
  });
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined;
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined)
    return { issuer, clientId, clientSecret };
  throw new UserError(
    'Signing in by OIDC takes --oidc-issuer, --oidc-client-id and the client secret, in the environment variable ' +
      'BRANCHLINE_OIDC_CLIENT_SECRET or the file of --oidc-client-secret-file: give all three, or none.',
  );
}
