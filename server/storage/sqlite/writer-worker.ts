import { Worker } from 'node:worker_threads';
import { THREAD_OPTIONS } from '../../thread-options.ts';
import { startThread, type ThreadFailure, waitForEnd } from '../../threads.ts';
import { Unavailable } from '../transient-errors.ts';
import { UnreadableValue } from '../unreadable-value.ts';
import type { WriterFailure, WriterReply, WriterRequest } from './writer-requests.ts';

/** What the thread answers to a request that succeeds. */
export type WriterResult = Extract<WriterReply, { result: unknown }>['result'];

/** The thread that writes. It answers requests in their order. */
export class WriterThread {
  readonly #worker: Worker;
  readonly #asked: PromiseWithResolvers<WriterResult>[] = [];
  /** What was asked just now and is sent as one message. */
  #unsent: WriterRequest[] = [];
  #isToSend = false;
  #ended: Error | undefined;
  readonly #answerMs: number;
  /** Runs while an answer is awaited. */
  #bound: NodeJS.Timeout | undefined;
  /** It has not answered in time. */
  #silence: Unavailable | undefined;

  /** @param answerMs how long it may take to answer, in milliseconds */
  constructor(file: string, answerMs: number) {
    this.#answerMs = answerMs;
    this.#worker = startThread<readonly WriterReply[]>({
      what: 'that writes',
      make: () => new Worker(new URL('./writer-thread.ts', import.meta.url), { ...THREAD_OPTIONS, workerData: file }),
      answered: (replies) => this.#settle(replies),
      ended: (failure) => this.#end(failure),
    });
    // It keeps the process running only while an answer is awaited.
    this.#worker.unref();
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  /** @throws Unavailable when it has not answered in time, until it does */
  requireAnswering(): void {
    if (this.#silence !== undefined) throw this.#silence;
  }

  /** One that does not answer rolls back when it does: nobody waits for that. */
  async rollBack(): Promise<void> {
    const answer = this.ask('rollback');
    if (this.#silence === undefined) await answer;
    else answer.catch(() => {});
  }

  ask(request: WriterRequest): Promise<WriterResult> {
    const answer = this.askWithNext(request);
    if (!this.#isToSend) queueMicrotask(() => this.#send());
    this.#isToSend = true;
    return answer;
  }

  /** As {@link ask}; it is sent with what is asked next. */
  askWithNext(request: WriterRequest): Promise<WriterResult> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const answer = Promise.withResolvers<WriterResult>();
    if (this.#asked.push(answer) === 1) {
      this.#worker.ref();
      this.#expectAnswer();
    }
    this.#unsent.push(request);
    return answer.promise;
  }

  async close(): Promise<void> {
    if (this.ended) return;
    this.#unsent.push('close');
    this.#send();
    await waitForEnd(this.#worker);
  }

  #send(): void {
    this.#worker.postMessage(this.#unsent);
    this.#unsent = [];
    this.#isToSend = false;
  }

  #expectAnswer(): void {
    clearTimeout(this.#bound);
    this.#bound = setTimeout(() => this.#fallSilent(), this.#answerMs).unref();
  }

  /** What was asked stays asked: answers come in the order of requests. */
  #fallSilent(): void {
    this.#silence = new Unavailable(
      `SQLite has not answered for ${this.#answerMs / 1_000} seconds: its disk may hang.`,
    );
    for (const { reject } of this.#asked) reject(this.#silence);
  }

  #settle(replies: readonly WriterReply[]): void {
    this.#silence = undefined;
    for (const [index, answer] of this.#asked.splice(0, replies.length).entries()) {
      const reply = replies[index];
      if (reply === undefined) continue;
      if ('result' in reply) answer.resolve(reply.result);
      else answer.reject(toError(reply.error));
    }
    if (this.#asked.length > 0) return this.#expectAnswer();
    clearTimeout(this.#bound);
    this.#worker.unref();
  }

  #end(failure: ThreadFailure): void {
    const { cause } = failure;
    // Where the thread could not open the file, what that means is told by what SQLite says.
    this.#ended = cause instanceof Error && 'errcode' in cause ? cause : failure;
    clearTimeout(this.#bound);
    for (const answer of this.#asked.splice(0)) answer.reject(this.#ended);
  }
}

function toError({ unreadable, ...failure }: WriterFailure): Error {
  if (unreadable !== undefined) return new UnreadableValue(unreadable);
  return Object.assign(new Error(failure.message), failure);
}
