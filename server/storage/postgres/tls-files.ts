import { readSmallFile, UserError } from '@branchline/command-line';

/** The files that a URL may name, which node-postgres reads for each connection, whatever they are. */
const PARAMETERS = ['sslrootcert', 'sslcert', 'sslkey'];

const MAX_BYTES = 1_048_576;

/** @throws UserError when a certificate or key that the URL of a database names can't be read */
export async function requireTlsFiles(url: string): Promise<void> {
  const { searchParams } = new URL(url);
  for (const parameter of PARAMETERS) {
    const path = searchParams.get(parameter);
    if (path === null || path === '') continue;
    const what = `The file of ${parameter} in the URL of the database`;
    await readSmallFile({ path, what, maxBytes: MAX_BYTES }).catch((error: unknown) => {
      throw error instanceof UserError ? new UserError(error.message.replaceAll(path, '…')) : error;
    });
  }
}
