import { randomBytes } from 'node:crypto';
import { constants, copyFileSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { readSmallFileIfThere, UserError } from '@branchline/command-line';
import { hasCode } from '../error-code.ts';
import type { DatabaseLocation } from '../storage/open.ts';
import { readSecret } from '../secret-file.ts';
import { resolveLinks } from '../storage/sqlite/resolve-links.ts';

const KEY_BYTES = 32;

const MAX_FILE_BYTES = 65_536;

const MAKE_ONE = 'Make one with: openssl rand -hex 32';

/** Another key would be of no use to what is stored. */
const PUT_BACK = 'Put it back from your backup; if it is lost for good, see `branchline workspace rekey --help`.';

const MAKE_ANEW = 'Remove that file, and a new one is made.';

/** Where the key may come from; it is given at most once. */
export interface HashKeySource extends DatabaseLocation {
  /** 32 bytes in hexadecimal, from the configuration. */
  hashKey: string | undefined;
  /** A file that holds them instead. */
  hashKeyFile?: string | undefined;
}

/**
 * The key under which secrets are hashed, where it is given; undefined: it lies beside the embedded database.
 *
 * @throws UserError when it is missing, can't be read, or is not a key
 */
export async function readGivenHashKey(source: HashKeySource): Promise<Uint8Array | undefined> {
  const given = await readSecret({
    secret: source.hashKey,
    file: source.hashKeyFile,
    what: 'hash key',
    flag: '--hash-key-file',
  });
  if (given !== undefined) return decode(given.trim(), 'The hash key', MAKE_ONE);
  if (source.databaseUrl === undefined) return undefined;
  throw new UserError(
    'With a PostgreSQL database the hash key must be given, the same to every server: BRANCHLINE_HASH_KEY, or the ' +
      `file of --hash-key-file. ${MAKE_ONE}`,
  );
}

/**
 * The key in the file `<database>.key` beside the embedded database (also where the database is named by a link), which is made on first
 * use and readable by its owner only.
 *
 * @param mayMake whether a file that is not there may be made: only as long as nothing is hashed under another key
 * @throws UserError when it is missing, can't be read or written, or is not a key
 */
export async function loadHashKey(database: string, mayMake: boolean): Promise<Uint8Array> {
  const file = keyFilePath(database);
  const key = (await readKey(file, mayMake ? MAKE_ANEW : PUT_BACK)) ?? (mayMake ? await makeKey(file) : undefined);
  if (key !== undefined) return key;
  throw new UserError(
    `The hash key file ${file} is missing, and without it no secret of this database works. ${PUT_BACK}`,
  );
}

function keyFilePath(database: string): string {
  return `${resolveLinks(database)}.key`;
}

async function readKey(path: string, advice: string): Promise<Uint8Array | undefined> {
  const text = await readSmallFileIfThere({ path, what: `The hash key file ${path}`, maxBytes: MAX_FILE_BYTES });
  return text === undefined ? undefined : decode(text.trim(), `The hash key in ${path}`, advice);
}

async function makeKey(file: string): Promise<Uint8Array> {
  try {
    const key = randomBytes(KEY_BYTES);
    writeNew(file, `${key.toString('hex')}\n`);
    return key;
  } catch (error) {
    // Another process has just made the file: then that key is the one.
    const key = hasCode(error, 'EEXIST') ? await readKey(file, MAKE_ANEW) : undefined;
    if (key === undefined) throw unusable(file, error);
    return key;
  }
}

/** Half a key, from a full disk or a process that was killed, would be in the way of all later starts: it gets its name when it is whole. */
function writeNew(file: string, text: string): void {
  const unfinished = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(unfinished, text, { flag: 'wx', mode: 0o600, flush: true });
    nameUnlessTaken(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function nameUnlessTaken(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw error;
    // Not every file system has hard links.
    copyFileSync(unfinished, file, constants.COPYFILE_EXCL);
  }
}

function unusable(file: string, error: unknown): UserError {
  return new UserError(
    `The hash key file ${file} can't be used: ${error instanceof Error ? error.message : String(error)}.`,
  );
}

function decode(text: string, what: string, advice: string): Uint8Array {
  if (!/^[0-9a-f]{64}$/i.test(text)) {
    throw new UserError(`${what} must be ${KEY_BYTES} bytes as ${KEY_BYTES * 2} hexadecimal digits. ${advice}`);
  }
  return Buffer.from(text, 'hex');
}
