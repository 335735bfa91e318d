import { readSmallFileSync, UserError } from '@branchline/command-line';
import { CouldNotRun } from './could-not-run.ts';

const MIB = 1024 * 1024;

/** Accounts, waivers, certificates and the like: what people write by hand, or nearly. */
const SMALL = MIB;

/** A report of every case, each with what was sent and answered; vectors. */
export const LARGE = 256 * MIB;

/**
 * The text of a file that an option names, or of a pipe in its place: `<(…)` of a shell.
 *
 * @throws CouldNotRun where it can't be read, is a folder or a device, or too large
 */
export function readGivenFile(path: string, option: string, maxBytes = SMALL): string {
  try {
    return readSmallFileSync({ path, what: `${option}: the file ${path}`, maxBytes });
  } catch (error) {
    if (error instanceof UserError) throw new CouldNotRun(error.message, { cause: error.cause });
    throw error;
  }
}
