/**
 * Why nothing came of sending.
 *
 * - `refused`: it must not be sent there; to try again is of no use
 * - `failed`: the receiver could not be reached, or broke off
 * - `timeout`: the receiver did not answer in time
 * - `too-large`: the body of the answer is larger than what is taken
 */
export type SendErrorKind = 'refused' | 'failed' | 'timeout' | 'too-large';

/**
 * A request that was not sent, or has no whole answer. The message is one sentence for the log, not for a client: of the URL it holds the
 * host alone, and it may hold an address of your network.
 */
export class SendError extends Error {
  override name = 'SendError';
  readonly kind: SendErrorKind;

  constructor(kind: SendErrorKind, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.kind = kind;
  }
}
