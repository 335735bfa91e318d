import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/** Makes the secret of a service account or an API key: 256 random bits as base64url, 43 characters. */
export function generateSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Keeps secrets as HMAC-SHA-256 under a key that is not in the database: who steals the database alone can neither use nor
 * test them. A slow password hash would add nothing, since the secrets are 256 random bits that nobody can guess.
 */
export class SecretHasher {
  readonly #key: KeyObject;

  /** @param key at least 32 random bytes */
  constructor(key: Uint8Array) {
    if (key.length < 32) throw new RangeError('The hash key must have at least 32 bytes.');
    this.#key = createSecretKey(key);
  }

  /** Tells one key from another; says nothing about the key itself. */
  get keyId(): string {
    return this.#digest('Which key is this?').toString('base64url').slice(0, 16);
  }

  /** The form in which a secret is stored, base64url. */
  hash(secret: string): string {
    return this.#digest(secret).toString('base64url');
  }

  /** Whether `secret` is the one that was stored as `hash`; takes the same time whatever they are. */
  matches(secret: string, hash: string): boolean {
    return timingSafeEqual(this.#digest(secret), Buffer.from(hash, 'base64url'));
  }

  #digest(secret: string): Buffer {
    return createHmac('sha256', this.#key).update(secret, 'utf8').digest();
  }
}

/** The hash of no secret, for who is unknown: comparing with it costs the same. */
export const NO_HASH = Buffer.alloc(32).toString('base64url');
