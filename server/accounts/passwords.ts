import { randomBytes, timingSafeEqual } from 'node:crypto';
import { widerNetworks } from '../http/client-network.ts';
import { FairShare } from '@branchline/runtime';
import { requireWanted } from '../storage/holder.ts';
import { Unavailable } from '../storage/transient-errors.ts';
import { UnreadableValue } from '../storage/unreadable-value.ts';
import { deriveKey } from './key-derivation.ts';

/** OWASP, Password Storage Cheat Sheet: argon2id. Memory is in KiB. */
const COST = { memory: 19 * 1_024, passes: 2, parallelism: 1 };

/**
 * What a stored password may take to check at most: 64 MiB, and some seven times as long as with our own cost. The options of OWASP's
 * sheet and the second one of RFC 9106, section 4 take less. A damaged number would hold a thread for hours, or all memory.
 */
const GREATEST_COST = { memory: 64 * 1_024, memoryTimesPasses: 256 * 1_024, parallelism: 4, bytes: 64 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;

const LEAST_SALT = 8;
const LEAST_HASH = 4;

/** Each hash takes 19 MiB and a thread for some 50 ms. */
const AT_ONCE = 2;
const WAIT_MS = 5_000;

/** More than are checked in that time, so that those who wait are bounded by it alone. Each holds some 10 KiB. */
const MOST_WAITING = 1_000;

interface StoredPassword {
  memory: number;
  passes: number;
  parallelism: number;
  salt: Buffer;
  hash: Buffer;
}

/** A dummy hash: comparing with it takes the same time. */
const NOBODY: StoredPassword = { ...COST, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };

export interface PasswordsOptions {
  /** How long a password waits for its turn, in milliseconds. Defaults to 5,000. */
  waitMs?: number;
  /** Defaults to argon2id in a thread of its own. */
  derive?: typeof deriveKey;
}

/**
 * Hashes passwords, a few at a time. Those who wait take turns by network, the widest first, so that whoever owns many addresses
 * counts once.
 */
export class Passwords {
  readonly #places = new FairShare({ total: AT_ONCE, mostWaiting: MOST_WAITING });
  readonly #waitMs: number;
  readonly #deriveKey: typeof deriveKey;

  constructor({ waitMs = WAIT_MS, derive = deriveKey }: PasswordsOptions = {}) {
    this.#waitMs = waitMs;
    this.#deriveKey = derive;
  }

  /**
   * @param client the network of the client it is for, so that no network can take all slots
   * @returns the PHC string to store
   * @throws Unavailable if too many passwords are already waiting
   * @throws NotWanted if the client has gone meanwhile
   */
  async hash(password: string, client: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const hash = await this.#derive(password, { ...COST, salt, hash: Buffer.alloc(HASH_BYTES) }, client);
    return format({ ...COST, salt, hash });
  }

  /**
   * Whether the password matches the stored hash. Takes the same time if none is stored.
   *
   * @param client as for {@link hash}
   * @throws Unavailable if too many passwords are already waiting
   * @throws NotWanted if the client has gone meanwhile
   * @throws UnreadableValue if the stored one would cost more than any that a server stores
   */
  async matches(password: string, stored: string | null, client: string): Promise<boolean> {
    const expected = (stored === null ? undefined : parse(stored)) ?? NOBODY;
    const hash = await this.#derive(password, expected, client);
    return timingSafeEqual(hash, expected.hash) && expected !== NOBODY;
  }

  async #derive(password: string, { salt, hash, ...cost }: StoredPassword, client: string): Promise<Buffer> {
    const [widest = '', ...parts] = widerNetworks(client);
    const giveBack = await this.#places.take(widest, { parts, waitMs: this.#waitMs });
    if (giveBack === undefined) throw new Unavailable('Too many passwords wait to be checked.');
    try {
      // It may have waited for seconds.
      requireWanted();
      // Some devices compose characters and others decompose them.
      const message = password.normalize('NFKC');
      return await this.#deriveKey({ message, nonce: salt, tagLength: hash.length, ...cost });
    } finally {
      giveBack();
    }
  }
}

/** The PHC string format of `argon2id`: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. */
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function format({ memory, passes, parallelism, salt, hash }: StoredPassword): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`;
}

function parse(text: string): StoredPassword | undefined {
  const [, memory, passes, parallelism, salt = '', hash = ''] = PHC.exec(text) ?? [];
  if (memory === undefined) return undefined;
  const stored = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
  if (!isAffordable(stored)) throw new UnreadableValue('users.password_hash');
  return stored;
}

/** The least values are those that argon2 works with (RFC 9106, section 3.1). */
function isAffordable({ memory, passes, parallelism, salt, hash }: StoredPassword): boolean {
  const isEnough =
    passes >= 1 &&
    parallelism >= 1 &&
    memory >= 8 * parallelism &&
    salt.length >= LEAST_SALT &&
    hash.length >= LEAST_HASH;
  return (
    isEnough &&
    memory <= GREATEST_COST.memory &&
    memory * passes <= GREATEST_COST.memoryTimesPasses &&
    parallelism <= GREATEST_COST.parallelism &&
    Math.max(salt.length, hash.length) <= GREATEST_COST.bytes
  );
}

/** Without padding, as the format requires. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
