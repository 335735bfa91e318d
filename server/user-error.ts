/**
 * A mistake that the person at the command line can mend. Its message is shown as it is, without a stack trace, so it is
 * one sentence (or two) that says what was wrong and what to do.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
}
