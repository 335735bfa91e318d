import { UserError } from '@branchline/command-line';

/** The suite could not begin, or not end; the message is a sentence for whoever started it. */
export class CouldNotRun extends UserError {
  override readonly name = 'CouldNotRun';
}
