import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateSecret, NO_HASH, SecretHasher } from './secrets.ts';

describe('secrets', () => {
  const hasher = new SecretHasher(randomBytes(32));

  it('have 256 bits and never come twice', () => {
    const secrets = Array.from({ length: 100 }, generateSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  });

  it('match their own hash and no other', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (secret, other) => {
        expect(hasher.matches(secret, hasher.hash(secret))).toBe(true);
        expect(hasher.matches(other, hasher.hash(secret))).toBe(other === secret);
      }),
    );
  });

  it('match no hash of another length, as after damage', () => {
    const secret = generateSecret();
    for (const stored of ['', 'AAAA', hasher.hash(secret).slice(0, -1), `${hasher.hash(secret)}AA`]) {
      expect(hasher.matches(secret, stored), stored).toBe(false);
    }
  });

  it('never match the hash that stands for nobody', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (secret) => !hasher.matches(secret, NO_HASH)));
  });

  it('have a hash that depends on the key, and that does not hold the secret', () => {
    const secret = generateSecret();
    expect(new SecretHasher(randomBytes(32)).hash(secret)).not.toBe(hasher.hash(secret));
    expect(hasher.hash(secret)).not.toContain(secret);
  });

  it('name the key under which they are hashed, always alike and in 16 characters, and do not tell it', () => {
    const key = randomBytes(32);
    const { keyId } = new SecretHasher(key);
    expect(keyId).toMatch(/^[\w-]{16}$/);
    expect(new SecretHasher(key).keyId).toBe(keyId);
    expect(hasher.keyId).not.toBe(keyId);
    expect(key.toString('base64url')).not.toContain(keyId);
  });

  it('refuse a short key', () => {
    expect(() => new SecretHasher(randomBytes(16))).toThrow('at least 32 bytes');
  });
});
