import { CouldNotRun } from '../could-not-run.ts';
import { readGivenFile } from '../given-file.ts';
import type { Account } from '../service/account.ts';

/** Reads `name:secret`. A name holds no colon, a secret may. */
export function parseAccount(text: string, source: string): Account {
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1) {
    throw new CouldNotRun(
      `${source} must be name:secret, a service account's name and its secret with a colon between.`,
    );
  }
  return { name: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** The accounts of a file: a line each; blank lines and lines that begin with # are left out. */
export function readAccountFile(path: string): Account[] {
  const lines = readGivenFile(path, '--account-file').split(/\r?\n/);
  return lines.flatMap((line, index) =>
    line.trim() === '' || line.startsWith('#') ? [] : [parseAccount(line, `Line ${index + 1} of ${path}`)],
  );
}
