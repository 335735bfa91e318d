import { UserError } from '@branchline/command-line';

/** A program that the generator needs is missing or can't do its work. The message says which, and what to install or do. */
export class ToolError extends UserError {
  override readonly name = 'ToolError';
}
