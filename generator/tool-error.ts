import { UserError } from '@branchline/command-line';

/** Something that the generator needs is missing, in its way or can't do its work. The message says what, and what to do. */
export class ToolError extends UserError {
  override readonly name = 'ToolError';
}
