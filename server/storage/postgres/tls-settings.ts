import { statSync } from 'node:fs';
import { readSmallFile, UserError } from '@branchline/command-line';

/** The files that a URL may name, which node-postgres reads for each connection, whatever they are. */
const FILES = ['sslrootcert', 'sslcert', 'sslkey'];

const MAX_BYTES = 1_048_576;

/** These mean the same to node-postgres, which warns of all but the last whenever it reads one. */
const VERIFYING = ['allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

const OTHERS = ['disable', 'no-verify'];

/**
 * Reads what the URL of a database says of TLS.
 *
 * @returns the URL for node-postgres, which asks for the same, and of which it does not warn
 * @throws UserError when a certificate or key that it names can't be read, its `sslmode` is none, or one of these is named twice
 */
export async function readTlsSettings(url: string): Promise<string> {
  const read = new URL(url);
  requireOnce(read);
  await requireFiles(read);
  const mode = read.searchParams.get('sslmode');
  if (mode === null || OTHERS.includes(mode)) return url;
  // Not repeated: it may be part of a password that is not encoded.
  if (!VERIFYING.includes(mode))
    throw new UserError(
      `The sslmode in the URL of the database must be one of: ${[...VERIFYING, ...OTHERS].join(', ')}.`,
    );
  // Then node-postgres reads it as libpq does, without a warning.
  if (read.searchParams.get('uselibpqcompat') === 'true') return url;
  read.searchParams.set('sslmode', 'verify-full');
  return read.href;
}

/**
 * To be called before node-postgres reads those files again, which it does as it makes a client: the process would stand still until
 * somebody writes into a named pipe, and for good for a device that has no end.
 *
 * @throws IrregularFile
 */
export function requireRegularFiles(url: string): void {
  for (const { path } of namedFiles(new URL(url))) {
    const file = statSync(path);
    if (!file.isFile() || file.size > MAX_BYTES) throw new IrregularFile();
  }
}

class IrregularFile extends Error {
  readonly code = 'no regular file of at most 1 MiB';
}

/** Of several node-postgres takes the last. */
function requireOnce({ searchParams }: URL): void {
  const repeated = ['sslmode', ...FILES].find((name) => searchParams.getAll(name).length > 1);
  if (repeated !== undefined)
    throw new UserError(`The URL of the database names ${repeated} twice: leave one of them.`);
}

async function requireFiles(url: URL): Promise<void> {
  for (const { parameter, path } of namedFiles(url)) {
    const what = `The file of ${parameter} in the URL of the database`;
    await readSmallFile({ path, what, maxBytes: MAX_BYTES, isOfSecret: true });
  }
}

function namedFiles({ searchParams }: URL): { parameter: string; path: string }[] {
  return FILES.map((parameter) => ({ parameter, path: searchParams.get(parameter) ?? '' })).filter(
    ({ path }) => path !== '',
  );
}
