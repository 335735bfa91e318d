/** The same in every copy of this package that an installation may have. */
const MARK = Symbol.for('branchline.UserError');

/**
 * A mistake that the person at the command line can mend. Its message is shown as it is, without a stack trace, so it is
 * one sentence (or two) that says what was wrong and what to do.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  /** What the process ends with: 2, it could not do what was asked; 1, it looked, and the answer is no. */
  readonly exitCode: 1 | 2 = 2;
  readonly [MARK] = true;
}

/** Whether an error is a {@link UserError}, though it may come from a package that brings its own copy of the class. */
export function isUserError(error: unknown): error is UserError {
  return error instanceof Error && MARK in error;
}
