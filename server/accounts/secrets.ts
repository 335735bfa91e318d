import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/** Generates the secret of a service account or an API key: 256 random bits as base64url, 43 characters. */
export function generateSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Hashes secrets with HMAC-SHA-256 under a key outside the database: the database alone is not enough to use or
 * test them. A slow password hash would add nothing, since nobody can guess 256 random bits.
 */
export class SecretHasher {
  readonly #key: KeyObject;
  /** Identifies the key without revealing it. */
  readonly keyId: string;

  /** @param key at least 32 random bytes */
  constructor(key: Uint8Array) {
    if (key.length < 32) throw new RangeError('The hash key must have at least 32 bytes.');
    this.#key = createSecretKey(key);
    this.keyId = this.#digest('Which key is this?').toString('base64url').slice(0, 16);
  }

  /** Returns a secret's stored form, base64url. */
  hash(secret: string): string {
    return this.#digest(secret).toString('base64url');
  }

  /** Whether `hash` is the hash of `secret`; takes constant time. One of another length is that of none. */
  matches(secret: string, hash: string): boolean {
    const [digest, given] = [this.#digest(secret), Buffer.from(hash, 'base64url')];
    return given.length === digest.length && timingSafeEqual(digest, given);
  }

  #digest(secret: string): Buffer {
    return createHmac('sha256', this.#key).update(secret, 'utf8').digest();
  }
}

/** A hash that no secret has, for unknown names: comparing with it takes the same time. */
export const NO_HASH = Buffer.alloc(32).toString('base64url');
