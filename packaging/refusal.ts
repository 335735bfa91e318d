/** What is there must not be released as it is. The message says why, and what to do. */
export class Refusal extends Error {
  override name = 'Refusal';
}
