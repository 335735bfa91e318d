import { readSmallFile, UserError } from '@branchline/command-line';

const MAX_BYTES = 65_536;

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
 * @returns the secret, without the line ends at the file's end; undefined if not given
 * @throws UserError if it is given twice, or the file is empty, can't be read, is no regular file, or has more than 64 KiB
 */
export async function readSecret({ secret, file, what: name, flag }: SecretSource): Promise<string | undefined> {
  if (file === undefined) return secret;
  if (secret !== undefined) {
    throw new UserError(`The ${name} is given twice, as itself and as a file: leave one of them out.`);
  }
  const what = `The file of ${flag}`;
  const text = await readSmallFile({ path: file, what, maxBytes: MAX_BYTES, isOfSecret: true });
  // Blanks may belong to a password.
  const content = text.replace(/[\r\n]+$/, '');
  if (content.trim() === '') throw new UserError(`The file ${file} of ${flag} is empty.`);
  return content;
}
