import { isEventStream } from '@branchline/contract';
import { type Answer, type Bounds, type Head, type Outcome, findHeader } from './client.ts';
import { decompress } from './decompress.ts';

/** Of an answer that is not whole, so much is kept to be shown. */
const MAX_EVIDENCE_BYTES = 65_536;

/** What comes of one request, within its bounds. What ends it first decides. */
export class Arrival {
  readonly outcome: Promise<Outcome>;
  readonly #bounds: Bounds;
  readonly #resolve: (outcome: Outcome) => void;
  readonly #started = performance.now();
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #head: Head | undefined;

  constructor(bounds: Bounds, signal?: AbortSignal) {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const abort = (): void => this.fail('The run was ended.');
    const deadline = setTimeout(() => this.fail(describeTimeout(bounds)), bounds.timeoutMs);
    signal?.addEventListener('abort', abort, { once: true });
    this.#bounds = bounds;
    this.outcome = promise;
    this.#resolve = (outcome) => {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', abort);
      resolve(outcome);
    };
  }

  /** The head has come. */
  get hasBegun(): boolean {
    return this.#head !== undefined;
  }

  begin(head: Head): void {
    this.#head = head;
  }

  /** Of a stream of events, which need not end, what comes first is the whole. */
  add(chunk: Buffer, isReused: boolean): void {
    const { maxBodyBytes } = this.#bounds;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > maxBodyBytes) this.fail(`The body had not ended after ${maxBodyBytes} bytes.`);
    else if (this.#head !== undefined && isEventStream(findHeader(this.#head, 'content-type'))) this.finish(isReused);
  }

  /** The whole answer has come. */
  finish(isReused: boolean): void {
    const answer = this.#readAnswer();
    if (answer !== undefined) this.end(decompress({ ...answer, isReused }, this.#bounds.maxBodyBytes));
  }

  /** No more will come than what is there. */
  fail(problem: string): void {
    const answer = this.#readAnswer(MAX_EVIDENCE_BYTES);
    this.end(answer === undefined ? { problem } : { problem, answer });
  }

  end(outcome: Outcome): void {
    this.#resolve(outcome);
  }

  #readAnswer(maxBytes = Infinity): Answer | undefined {
    if (this.#head === undefined) return undefined;
    const body = Buffer.concat(this.#chunks, Math.min(this.#bytes, maxBytes));
    return { ...this.#head, body, milliseconds: Math.round(performance.now() - this.#started) };
  }
}

function describeTimeout({ timeoutMs }: Bounds): string {
  return `The service gave no whole answer within ${timeoutMs / 1_000} s.`;
}
