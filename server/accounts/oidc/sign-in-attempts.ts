import { parseCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { Clock } from '../../clock.ts';
import { hostCookieName, setHostCookie } from '../host-cookie.ts';
import type { SecretHasher } from '../secrets.ts';
import { cameOverTls } from '../session-cookie.ts';

const NAME = 'branchline-oidc';

/** From the button to the way back. */
export const ATTEMPT_LIVES_MS = 10 * 60_000;

/** Tells the seal of a cookie from whatever else is hashed: no secret has a space. */
const PURPOSE = 'OIDC sign-in';

/** A sign-in that was begun. */
export interface SignInAttempt {
  /** Goes to the provider and comes back: the workspace and 256 random bits, with a dot between. */
  state: string;
  /** Stands in the ID token. */
  nonce: string;
  /** Proves to the provider that who asks with the code is who began (RFC 7636). */
  codeVerifier: string;
  /** Milliseconds since 1970, UTC. */
  expiresAt: number;
}

type Request = Pick<FastifyRequest, 'protocol' | 'headers'>;

/**
 * Sign-ins that were begun at the provider. Each is kept by the browser that began it, under our seal, and nowhere else: who
 * does not have its cookie can't finish it, and beginning costs no row.
 */
export class SignInAttempts {
  readonly #hasher: SecretHasher;
  readonly #clock: Clock;

  constructor({ hasher, clock }: { hasher: SecretHasher; clock: Clock }) {
    this.#hasher = hasher;
    this.#clock = clock;
  }

  begin(workspaceId: string): SignInAttempt {
    return {
      state: `${workspaceId}.${randomState()}`,
      nonce: randomNonce(),
      codeVerifier: randomPKCECodeVerifier(),
      expiresAt: this.#clock() + ATTEMPT_LIVES_MS,
    };
  }

  /** The `Set-Cookie` header that has the browser keep it, in place of one before. */
  toCookie(attempt: SignInAttempt, request: Request): string {
    const content = Buffer.from(JSON.stringify(attempt)).toString('base64url');
    const value = `${content}.${this.#hasher.hash(`${PURPOSE} ${content}`)}`;
    return setHostCookie({ name: NAME, value, secure: cameOverTls(request), expiresAt: attempt.expiresAt });
  }

  /** The `Set-Cookie` header that has the browser forget it. */
  endCookie(request: Request): string {
    return setHostCookie({ name: NAME, value: '', secure: cameOverTls(request), expiresAt: 0 });
  }

  /** The one that the request's browser has begun, with this state and in this workspace, if it has not run out. */
  find(request: Request, workspaceId: string, state: string | null): SignInAttempt | undefined {
    const cookie = parseCookie(request.headers.cookie ?? '')[hostCookieName(NAME, cameOverTls(request))];
    const attempt = this.#open(cookie ?? '');
    if (attempt === undefined || attempt.expiresAt <= this.#clock()) return undefined;
    const isThis = this.#hasher.matches(state ?? '', this.#hasher.hash(attempt.state));
    return isThis && attempt.state.startsWith(`${workspaceId}.`) ? attempt : undefined;
  }

  #open(cookie: string): SignInAttempt | undefined {
    const [, content, seal] = /^([\w-]+)\.([\w-]{43})$/.exec(cookie) ?? [];
    if (content === undefined || seal === undefined) return undefined;
    if (!this.#hasher.matches(`${PURPOSE} ${content}`, seal)) return undefined;
    return JSON.parse(Buffer.from(content, 'base64url').toString());
  }
}
