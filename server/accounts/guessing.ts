import { hash } from 'node:crypto';
import { HttpError } from '../http/http-error.ts';
import type { BucketKey, Rate, RateLimiter } from '../storage/rate-limiter.ts';
import { emailKey } from './email.ts';

/** Of one client, whatever it guesses. */
const CLIENT_RATE: Rate = { perSecond: 1 / 10, atOnce: 20 };

/** For one e-mail, whoever guesses. Faster than one client may be, so that none of them alone keeps the person out. */
const EMAIL_RATE: Rate = { perSecond: 1 / 5, atOnce: 20 };

/** Of sign-ins at the OIDC provider. Nobody guesses 256 random bits: this bounds only what trying costs there. */
const OIDC_RATE: Rate = { perSecond: 1, atOnce: 60 };

/** What is no workspace's has no workspace's buckets, and no more than these, whatever is tried. */
const NO_WORKSPACE = '';
const NO_WORKSPACE_BUCKETS = 1_024;

/** Slows down those who guess passwords, and who come back from the OIDC provider. Nobody is locked out for ever: buckets fill again. */
export class Guessing {
  readonly #limiter: RateLimiter;

  constructor(limiter: RateLimiter) {
    this.#limiter = limiter;
  }

  /** @throws HttpError 429 when this client has tried too many passwords, of whatever workspace */
  async slowClient(client: string): Promise<void> {
    await this.#take({ workspaceId: NO_WORKSPACE, holderId: client, operation: 'signIn' }, CLIENT_RATE);
  }

  /** @throws HttpError 429 when this client has begun, or finished, too many sign-ins at the OIDC provider */
  async slowOidc(client: string): Promise<void> {
    await this.#take({ workspaceId: NO_WORKSPACE, holderId: client, operation: 'oidcSignIn' }, OIDC_RATE);
  }

  /**
   * Marks a sign-in at the OIDC provider as finished, on all servers, for as long as its browser could come back with it.
   *
   * @returns whether this is the first time
   */
  async finishOnce(state: string, livesMs: number): Promise<boolean> {
    const key = { workspaceId: NO_WORKSPACE, holderId: hash('sha256', state, 'hex'), operation: 'oidcFinish' };
    const { withinLimit } = await this.#limiter.take(key, { perSecond: 1_000 / livesMs, atOnce: 1 });
    return withinLimit;
  }

  /**
   * @param exists whether there is such a workspace
   * @throws HttpError 429 when too many passwords were tried for the e-mail, whether anybody has it or not
   */
  async slowEmail(workspaceId: string, exists: boolean, email: string): Promise<void> {
    const digest = hash('sha256', `${workspaceId} ${emailKey(email)}`, 'hex');
    const bucket = Number.parseInt(digest.slice(0, 8), 16) % NO_WORKSPACE_BUCKETS;
    const key = exists
      ? { workspaceId, holderId: digest.slice(0, 32) }
      : { workspaceId: NO_WORKSPACE, holderId: `unknown-${bucket}` };
    await this.#take({ ...key, operation: 'signIn' }, EMAIL_RATE);
  }

  async #take(key: BucketKey, rate: Rate): Promise<void> {
    const { withinLimit, resetSeconds } = await this.#limiter.take(key, rate);
    if (withinLimit) return;
    const seconds = resetSeconds === 1 ? 'a second' : `${resetSeconds} seconds`;
    throw new HttpError(429, `Too many tries to sign in. Try again in ${seconds}.`, {
      'retry-after': String(resetSeconds),
    });
  }
}
