/** What is there must not be released as it is. The message is sentences, a line each, that say why and what to do. */
export class Refusal extends Error {
  override name = 'Refusal';
}
