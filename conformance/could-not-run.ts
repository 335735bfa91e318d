import { UserError } from '@branchline/command-line';

/** The suite could not run; the message is a sentence for its user. */
export class CouldNotRun extends UserError {
  override readonly name = 'CouldNotRun';
}
