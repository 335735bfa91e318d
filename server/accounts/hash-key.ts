import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../user-error.ts';

const KEY_BYTES = 32;

/**
 * The key under which secrets are hashed: the given one, or else that of the file beside the database, which is made on
 * first use and readable by its owner only.
 *
 * @param given 32 bytes in hexadecimal, from the configuration
 * @param databaseFile where the embedded database is; the key file is `<databaseFile>.key`
 * @throws UserError when either is there but is not a key
 */
export function loadHashKey(given: string | undefined, databaseFile: string): Uint8Array {
  if (given !== undefined) return decode(given, 'The hash key');
  const file = `${databaseFile}.key`;
  return readKey(file) ?? makeKey(file);
}

function readKey(file: string): Uint8Array | undefined {
  try {
    return decode(readFileSync(file, 'utf8').trim(), `The hash key in ${file}`);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function makeKey(file: string): Uint8Array {
  mkdirSync(dirname(file), { recursive: true });
  try {
    const key = randomBytes(KEY_BYTES);
    // 'wx' fails when another process has just made the file: then that key is the one.
    writeFileSync(file, `${key.toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    return key;
  } catch (error) {
    const key = isCode(error, 'EEXIST') ? readKey(file) : undefined;
    if (key === undefined) throw error;
    return key;
  }
}

function decode(text: string, what: string): Uint8Array {
  if (!/^[0-9a-f]{64}$/i.test(text)) {
    throw new UserError(
      `${what} must be ${KEY_BYTES} bytes as ${KEY_BYTES * 2} hexadecimal digits. Make one with: openssl rand -hex 32`,
    );
  }
  return Buffer.from(text, 'hex');
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
