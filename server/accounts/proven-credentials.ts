import { hash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { FairMemory } from './fair-memory.ts';
import { sessionTokens } from './session-cookie.ts';

/** The number of remembered credentials, of all workspaces. */
const MOST_REMEMBERED = 10_000;

/** A credential that was valid the last time. */
export interface ProvenCredential {
  workspaceId: string;
  /** Distinguishes it from others. */
  digest: string;
}

/**
 * The credentials that were valid when last looked up. They only decide which share a request counts
 * towards before authentication; each request still looks up its credential.
 *
 * Whole credentials are remembered, including the secret, as digests of this process. A client that knows only an account's
 * name or a key's id counts as a stranger, and can't slow down the holder of the secret.
 */
export class ProvenCredentials {
  readonly #salt = randomBytes(32).toString('base64');
  /** By digest, whose credential it is. */
  readonly #workspaces = new FairMemory(MOST_REMEMBERED);

  /**
   * @param credential the whole text
   * @param workspaceId the workspace it belongs to; undefined: none
   */
  learn(credential: string, workspaceId: string | undefined): void {
    const digest = this.#digest(credential);
    if (workspaceId === undefined) this.#workspaces.forget(digest);
    else this.#workspaces.remember(digest, workspaceId);
  }

  find(credential: string): ProvenCredential | undefined {
    const digest = this.#digest(credential);
    const workspaceId = this.#workspaces.find(digest);
    return workspaceId === undefined ? undefined : { workspaceId, digest };
  }

  /** Returns the first credential in a request's headers that was valid the last time. */
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

/** The texts that {@link ProvenCredentials.learn} receives for them. */
function* credentialsIn(headers: IncomingHttpHeaders): Iterable<string> {
  const { authorization, 'api-key': apiKey, cookie } = headers;
  if (typeof apiKey === 'string') yield apiKey;
  if (authorization !== undefined) yield basicText(authorization);
  if (cookie !== undefined) for (const { token } of sessionTokens({ protocol: 'http', headers })) yield token;
}

/** The part after the scheme, which has many spellings. */
export function basicText(authorization: string): string {
  return authorization.slice(authorization.lastIndexOf(' ') + 1);
}
