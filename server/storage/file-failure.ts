import { UserError } from '@branchline/command-line';

/**
 * The sentence for an error of the file system: a loop of links, a name that is too long, a folder that may not be looked into, a
 * disk that fails; undefined for any other error.
 */
export function describeFileFailure(error: unknown): UserError | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('path' in error)) return undefined;
  return new UserError(`The file ${String(error.path)} can't be used: ${error.message}. Mend that, and try again.`, {
    cause: error,
  });
}
