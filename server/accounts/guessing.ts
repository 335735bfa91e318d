import { hash } from 'node:crypto';
import { HttpError } from '../http/http-error.ts';
import type { BucketKey, Rate, RateLimiter } from '../storage/rate-limiter.ts';
import { emailKey } from './email.ts';

/** Per client, across all e-mails. */
const CLIENT_RATE: Rate = { perSecond: 1 / 10, atOnce: 20 };

/** Per e-mail, across all clients. Faster than a single client may be, so that no single client keeps the person out. */
const EMAIL_RATE: Rate = { perSecond: 1 / 5, atOnce: 20 };

/** Sign-ins at the OIDC provider. Nobody can guess 256 random bits: this only limits the cost at the provider. */
const OIDC_RATE: Rate = { perSecond: 1, atOnce: 60 };

/** Attempts on unknown workspaces share these buckets, so that guessing workspaces creates no others. */
const NO_WORKSPACE = '';
const NO_WORKSPACE_BUCKETS = 1_024;

/** Limits the rate of password attempts and OIDC sign-ins. Nobody is locked out permanently: buckets refill. */
export class Guessing {
  readonly #limiter: Pick<RateLimiter, 'take'>;

  constructor(limiter: Pick<RateLimiter, 'take'>) {
    this.#limiter = limiter;
  }

  /** @throws HttpError 429 if this client has tried too many passwords, in any workspace */
  async slowClient(client: string): Promise<void> {
    await this.#take({ workspaceId: NO_WORKSPACE, holderId: client, operation: 'signIn' }, CLIENT_RATE);
  }

  /** @throws HttpError 429 if this client has started or finished too many sign-ins at the OIDC provider */
  async slowOidc(client: string): Promise<void> {
    await this.#take({ workspaceId: NO_WORKSPACE, holderId: client, operation: 'oidcSignIn' }, OIDC_RATE);
  }

  /**
   * @param exists whether the workspace exists
   * @throws HttpError 429 if too many passwords were tried for the e-mail, whether it exists or not
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
