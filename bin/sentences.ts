import { UserError } from '../server/user-error.ts';

/** What keeps a run from its end is mostly the user's to mend: the spec, a program that is missing, or the folder. */
export async function withSentences(run: () => Promise<void>): Promise<void> {
  const [{ SpecError }, { ToolError }] = await Promise.all([
    import('../generator/spec-error.ts'),
    import('../generator/tool-error.ts'),
  ]);
  try {
    await run();
  } catch (error) {
    if (error instanceof SpecError || error instanceof ToolError) throw new UserError(error.message);
    if (isSystemError(error)) throw new UserError(unwritable(error));
    throw error;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function unwritable({ code = '', path = 'The folder', message }: NodeJS.ErrnoException): string {
  const causes: Readonly<Record<string, string>> = {
    ENOTDIR: 'a part of this path is a file, not a folder; choose another with --out',
    EEXIST: 'a part of this path is a file, not a folder; choose another with --out',
    EISDIR: 'there is a folder of this name',
    EACCES: 'you may not write there; choose another folder with --out',
    EPERM: 'you may not write there; choose another folder with --out',
    EROFS: 'the disk is read-only; choose another folder with --out',
    ENOSPC: 'the disk is full',
  };
  return `${path} can not be written: ${causes[code] ?? message}.`;
}
