import type { LookupFunction } from 'node:net';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
} from 'openid-client';
import type { Clock } from '../../clock.ts';
import { FairShare } from '@branchline/runtime';
import { Unavailable } from '../../storage/transient-errors.ts';
import { isPrivateUrl } from '../../config-values.ts';
import { createBoundedFetch } from './bounded-fetch.ts';
import { type Identity, identityFrom } from './identity.ts';
import { lookUpInTurn } from './lookups.ts';
import { ProviderFailure, providerFailure } from './provider-failure.ts';
import type { OidcSettings } from './settings.ts';
import type { SignInAttempt } from './sign-in-attempts.ts';

/** The maximum difference between the provider's clock and ours. */
const CLOCK_TOLERANCE_S = 60;

/** The time after which metadata and keys are fetched again. */
const KNOWN_FOR_MS = 3_600_000;

/** The maximum number of concurrent requests to the provider for finishing sign-ins. */
const AT_ONCE = 20;
const MOST_WAITING = 100;
const WAIT_MS = 5_000;

export interface ProviderDependencies {
  settings: OidcSettings;
  clock: Clock;
  /** Timeout of each answer, in seconds. Defaults to 5. */
  timeoutSeconds?: number;
  /** Finds the addresses of names. Defaults to the system's look-up, one at a time. */
  lookup?: LookupFunction;
}

/** The OIDC provider that people sign in with. */
export class OidcProvider {
  readonly #settings: OidcSettings;
  readonly #clock: Clock;
  readonly #timeoutSeconds: number;
  readonly #fetch: ReturnType<typeof createBoundedFetch>;
  readonly #places = new FairShare({ total: AT_ONCE, mostWaiting: MOST_WAITING });
  #known: { configuration: Configuration; since: number } | undefined;
  #discovering: Promise<Configuration> | undefined;

  constructor({ settings, clock, timeoutSeconds = 5, lookup = lookUpInTurn() }: ProviderDependencies) {
    this.#settings = settings;
    this.#clock = clock;
    this.#timeoutSeconds = timeoutSeconds;
    this.#fetch = createBoundedFetch(lookup);
  }

  get issuer(): string {
    return this.#settings.issuer;
  }

  /** The name that people know it by. */
  get host(): string {
    return new URL(this.#settings.issuer).host;
  }

  /**
   * Returns the URL where a sign-in continues.
   *
   * @throws ProviderFailure
   */
  async authorizationUrl({ state, nonce, codeVerifier }: SignInAttempt, redirectUri: string): Promise<string> {
    try {
      const url = buildAuthorizationUrl(await this.#configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      this.#refuseRepeated(url);
      return url.href;
    } catch (error) {
      throw providerFailure(error);
    }
  }

  /** RFC 6749, 3.1: no parameter may be sent twice. Of two states the provider might send back the wrong one. */
  #refuseRepeated({ searchParams }: URL): void {
    const names = [...searchParams.keys()];
    const repeated = names.find((name, at) => names.indexOf(name) < at);
    if (repeated === undefined) return;
    this.#known = undefined;
    throw new ProviderFailure(`its authorization_endpoint has a ${JSON.stringify(repeated)} of its own`);
  }

  /**
   * Asks the provider who has signed in.
   *
   * @param callback the redirect URI with the provider's parameters
   * @param client the browser's network, so that no network can take all slots
   * @returns `over` if the provider does not know the code (any more), `denied` if it refuses the person
   * @throws ProviderFailure
   * @throws Unavailable if too many are already waiting
   */
  async identify(callback: URL, attempt: SignInAttempt, client: string): Promise<Identity | 'over' | 'denied'> {
    const giveBack = await this.#places.take(client, { waitMs: WAIT_MS });
    if (giveBack === undefined) throw new Unavailable('Too many people sign in at the OIDC provider.');
    try {
      return await this.#exchange(callback, attempt);
    } catch (error) {
      if (error instanceof AuthorizationResponseError && error.error === 'access_denied') return 'denied';
      if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return 'over';
      // The provider may have new keys by now.
      if (error instanceof ClientError) this.#known = undefined;
      throw providerFailure(error);
    } finally {
      giveBack();
    }
  }

  async #exchange(callback: URL, { state, nonce, codeVerifier }: SignInAttempt): Promise<Identity> {
    const configuration = await this.#configuration();
    const tokens = await authorizationCodeGrant(configuration, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new ProviderFailure('it sends no id token');
    // OpenID Connect Core 1.0, 3.1.3.7: who it was issued to.
    if (claims['azp'] !== undefined && claims['azp'] !== this.#settings.clientId)
      throw new ProviderFailure('its id token was issued to another client');
    // The client library uses this machine's time, too, and checks the other times.
    if (claims.iat > Date.now() / 1_000 + CLOCK_TOLERANCE_S)
      throw new ProviderFailure('its id token is of a time that is still to come');
    const saysEmail = claims['email'] !== undefined && claims['email_verified'] !== undefined;
    if (saysEmail || configuration.serverMetadata().userinfo_endpoint === undefined)
      return identityFrom(claims.iss, claims);
    return identityFrom(claims.iss, await fetchUserInfo(configuration, tokens.access_token, claims.sub));
  }

  /** If fetching fails, the previous metadata stays in use. */
  async #configuration(): Promise<Configuration> {
    const known = this.#known;
    if (known !== undefined && this.#clock() < known.since + KNOWN_FOR_MS) return known.configuration;
    this.#discovering ??= this.#discover().finally(() => (this.#discovering = undefined));
    return this.#discovering.catch((error: unknown) => {
      if (known === undefined) throw error;
      return known.configuration;
    });
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const url = new URL(issuer);
    const configuration = await discovery(
      url,
      clientId,
      { [clockTolerance]: CLOCK_TOLERANCE_S },
      authentication(clientSecret),
      {
        [customFetch]: this.#fetch,
        timeout: this.#timeoutSeconds,
        // The settings accept plain HTTP only on loopback.
        execute: [enableNonRepudiationChecks, ...(url.protocol === 'http:' ? [allowInsecureRequests] : [])],
      },
    );
    requireEndpoints(configuration);
    this.#known = { configuration, since: this.#clock() };
    return configuration;
  }
}

/** What carries codes, secrets or keys. The client library allows all of them plain HTTP where the issuer is on this machine. */
const PRIVATE_ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'] as const;

/** OpenID Connect Discovery 1.0, 3: what a sign-in can't do without. What lacks it isn't kept for an hour, as it is mended sooner. */
const NEEDED_ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

function requireEndpoints(configuration: Configuration): void {
  const metadata = configuration.serverMetadata();
  for (const name of PRIVATE_ENDPOINTS) {
    const endpoint = metadata[name];
    if (endpoint !== undefined && !isPrivateUrl(endpoint)) throw new ProviderFailure(`its ${name} is not https://`);
  }
  for (const name of NEEDED_ENDPOINTS)
    if (metadata[name] === undefined) throw new ProviderFailure(`its metadata names no ${name}`);
}

/** Uses a method that the provider supports; the first is the default for providers that name none (OpenID Connect Discovery 1.0, 3). */
function authentication(clientSecret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...request);
  };
}
