import { UserError } from '@branchline/command-line';

/** Explains in a sentence what keeps a run from writing its files. */
export async function explainSystemErrors(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (isSystemError(error)) throw new UserError(describeUnwritable(error));
    throw error;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function describeUnwritable({ code = '', path = 'The folder', message }: NodeJS.ErrnoException): string {
  const causes: Readonly<Record<string, string>> = {
    ENOTDIR: 'a part of this path is a file, not a folder; choose another with --out',
    EEXIST: 'a part of this path is a file, not a folder; choose another with --out',
    EISDIR: 'there is a folder of this name',
    EACCES: 'you may not write there; choose another folder with --out',
    EPERM: 'you may not write there; choose another folder with --out',
    EROFS: 'the disk is read-only; choose another folder with --out',
    ENOSPC: 'the disk is full; make room, or choose another folder with --out',
  };
  return `${path} can not be written: ${causes[code] ?? message}.`;
}
