import type { FastifyRequest } from 'fastify';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { Clock } from '../../clock.ts';
import { hostCookieName, readCookies, setHostCookie } from '../host-cookie.ts';
import type { SecretHasher } from '../secrets.ts';
import { cameOverTls } from '../session-cookie.ts';

const NAME = 'branchline-oidc';

/** The time limit for finishing a sign-in. */
const ATTEMPT_LIVES_MS = 10 * 60_000;

/** Separates a cookie's seal from other hashed texts: no secret contains a space. */
const PURPOSE = 'OIDC sign-in';

/** A started sign-in. */
export interface SignInAttempt {
  /** Sent to the provider and back: the workspace and 256 random bits, separated by a dot. */
  state: string;
  /** Returned in the ID token. */
  nonce: string;
  /** Proves to the provider that the code is used by the client that started the sign-in (RFC 7636). */
  codeVerifier: string;
  /** Of the provider that it was begun at: no other gets the code (RFC 9700, 4.4). */
  issuer: string;
  /** Milliseconds since 1970, UTC. */
  expiresAt: number;
}

/** What is known of an attempt that is to be finished. */
interface SoughtAttempt {
  workspaceId: string;
  state: string | null;
  issuer: string;
}

export interface SignInAttemptsOptions {
  hasher: SecretHasher;
  clock: Clock;
}

type Request = Pick<FastifyRequest, 'protocol' | 'headers'>;

/**
 * Sign-ins started at the provider. Each is stored only in the browser that started it, signed by us: nobody
 * without its cookie can finish it, and starting one stores no row.
 */
export class SignInAttempts {
  readonly #hasher: SecretHasher;
  readonly #clock: Clock;

  constructor({ hasher, clock }: SignInAttemptsOptions) {
    this.#hasher = hasher;
    this.#clock = clock;
  }

  begin(workspaceId: string, issuer: string): SignInAttempt {
    return {
      state: `${workspaceId}.${randomState()}`,
      nonce: randomNonce(),
      codeVerifier: randomPKCECodeVerifier(),
      issuer,
      expiresAt: this.#clock() + ATTEMPT_LIVES_MS,
    };
  }

  /** The `Set-Cookie` header that stores it, replacing an earlier one. */
  toCookie(attempt: SignInAttempt, request: Request): string {
    const content = Buffer.from(JSON.stringify(attempt)).toString('base64url');
    const value = `${content}.${this.#hasher.hash(sealed(content))}`;
    return setHostCookie({ name: NAME, value, secure: cameOverTls(request), expiresAt: attempt.expiresAt });
  }

  /** The `Set-Cookie` header that deletes it. */
  endCookie(request: Request): string {
    return setHostCookie({ name: NAME, value: '', secure: cameOverTls(request), expiresAt: 0 });
  }

  /** Returns the unexpired attempt of the request's browser with this state, workspace and provider. */
  find(request: Request, { workspaceId, state, issuer }: SoughtAttempt): SignInAttempt | undefined {
    const cookie = readCookies(request.headers.cookie)[hostCookieName(NAME, cameOverTls(request))];
    const attempt = this.#open(cookie ?? '');
    if (attempt === undefined || attempt.expiresAt <= this.#clock()) return undefined;
    const isThis = this.#hasher.matches(state ?? '', this.#hasher.hash(attempt.state)) && attempt.issuer === issuer;
    return isThis && attempt.state.startsWith(`${workspaceId}.`) ? attempt : undefined;
  }

  #open(cookie: string): SignInAttempt | undefined {
    const [, content, seal] = /^([\w-]+)\.([\w-]{43})$/.exec(cookie) ?? [];
    if (content === undefined || seal === undefined) return undefined;
    if (!this.#hasher.matches(sealed(content), seal)) return undefined;
    return JSON.parse(Buffer.from(content, 'base64url').toString());
  }
}

function sealed(content: string): string {
  return `${PURPOSE} ${content}`;
}
