/** The suite could not begin, or not end; the message is a sentence for whoever started it. */
export class CouldNotRun extends Error {
  override name = 'CouldNotRun';
}
