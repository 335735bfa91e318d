import { readFileSync } from 'node:fs';
import { UserError } from '@branchline/command-line';

/** A secret that the operator gives either directly or in a file. */
export interface SecretSource {
  secret: string | undefined;
  file: string | undefined;
  /** Its name in sentences: `OIDC client secret`. */
  what: string;
  /** The flag for the file. */
  flag: string;
}

/**
 * @returns the secret, without the file's surrounding white space; undefined if not given
 * @throws UserError if it is given twice, or the file is empty or can't be read
 */
export function readSecret({ secret, file, what, flag }: SecretSource): string | undefined {
  if (file === undefined) return secret;
  if (secret !== undefined) {
    throw new UserError(`The ${what} is given twice, as itself and as a file: leave one of them out.`);
  }
  const content = read(file, flag).trim();
  if (content === '') throw new UserError(`The file ${file} of ${flag} is empty.`);
  return content;
}

function read(file: string, flag: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`The file of ${flag} can't be read: ${reason}.`);
  }
}
