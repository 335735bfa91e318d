import { hash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { sessionTokens } from './session-cookie.ts';

/** How many credentials are remembered. */
const MOST_REMEMBERED = 10_000;

/** A credential that was right the last time. */
export interface ProvenCredential {
  workspaceId: string;
  /** Tells it from others. */
  digest: string;
}

/**
 * The credentials that were right when they were last looked up. Whom the work counts for before a request is authenticated is
 * told by this, and nothing else is: each credential is looked up again each time.
 *
 * Whole credentials are remembered, secret and all, as digests of this process. So a client that knows the name of an account,
 * or the id of a key, counts as one who knows nothing, and whoever has the secret is met by none of that.
 */
export class ProvenCredentials {
  readonly #salt = randomBytes(32).toString('base64');
  readonly #workspaces = new LRUCache<string, string>({ max: MOST_REMEMBERED });

  /**
   * @param credential its whole text
   * @param workspaceId of which workspace it was found to be; undefined: of none
   */
  learn(credential: string, workspaceId: string | undefined): void {
    const digest = this.#digest(credential);
    if (workspaceId === undefined) this.#workspaces.delete(digest);
    else this.#workspaces.set(digest, workspaceId);
  }

  find(credential: string): ProvenCredential | undefined {
    const digest = this.#digest(credential);
    const workspaceId = this.#workspaces.get(digest);
    return workspaceId === undefined ? undefined : { workspaceId, digest };
  }

  /** The first of the credentials in a request's headers that was right the last time. */
  findIn(headers: IncomingHttpHeaders): ProvenCredential | undefined {
    for (const credential of credentialsIn(headers)) {
      const proven = this.find(credential);
      if (proven !== undefined) return proven;
    }
    return undefined;
  }

  #digest(credential: string): string {
    return hash('sha256', this.#salt + credential, 'base64');
  }
}

/** The texts that {@link ProvenCredentials.learn} is given for them. */
function* credentialsIn(headers: IncomingHttpHeaders): Iterable<string> {
  const { authorization, 'api-key': apiKey, cookie } = headers;
  if (typeof apiKey === 'string') yield apiKey;
  if (authorization !== undefined) yield basicText(authorization);
  if (cookie !== undefined) for (const { token } of sessionTokens({ protocol: 'http', headers })) yield token;
}

/** What stands behind the scheme, which can be written in many ways. */
export function basicText(authorization: string): string {
  return authorization.slice(authorization.lastIndexOf(' ') + 1);
}
