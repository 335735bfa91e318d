import { UserError } from '@branchline/command-line';

/** What is there must not be released as it is. The message says why, and what to do. */
export class Refusal extends UserError {
  override readonly name = 'Refusal';
  override readonly exitCode = 1;
}
