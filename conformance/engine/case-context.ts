import { Failed, NotObserved, Skipped } from './case.ts';
import type { Answer } from './http/client.ts';
import type { Exchange } from './result.ts';
import type { PlannedRequest, Sender } from './schedule/sender.ts';

/** A running case: it sends requests, keeps the exchanges, and collects problems. */
export class CaseContext {
  readonly sender: Sender;
  readonly exchanges: Exchange[] = [];
  readonly problems: string[] = [];
  /** Problems that fail observed cases too. */
  readonly violations: string[] = [];
  /** What its author will want to know, and what fails nothing. */
  readonly warnings: string[] = [];

  constructor(sender: Sender) {
    this.sender = sender;
  }

  /** Records the problem unless the condition holds. */
  check(condition: boolean, problem: string): void {
    if (!condition) this.problems.push(problem);
  }

  /** Records the problems, and ends the case if there are any. */
  demand(problems: readonly string[]): void {
    this.problems.push(...problems);
    if (problems.length > 0) throw new Failed();
  }

  skip(reason: string): never {
    throw new Skipped(reason);
  }

  notObserved(reason: string): never {
    throw new NotObserved(reason);
  }

  /**
   * Sends one request; ends the case unless a whole answer comes.
   *
   * @throws Error where nothing has ever answered at the address: that says nothing about the case.
   */
  async send(planned: PlannedRequest): Promise<Answer> {
    const { exchange, outcome } = await this.sender.send(planned);
    this.exchanges.push(exchange);
    const { answer, problem, unreachable = false } = outcome;
    if (unreachable && !this.sender.hasConnected) throw new Error(problem);
    if (answer !== undefined && problem === undefined) return answer;
    this.problems.push(problem ?? 'The service did not answer.');
    throw new Failed();
  }

  /** Starts work in each of the lanes at the same moment, as soon as their pace allows it; ends when all have ended. */
  async together<T>(lanes: readonly string[], work: (index: number) => Promise<T>): Promise<T[]> {
    await this.sender.reserve(lanes);
    return this.repeat(lanes.length, work);
  }

  /** Runs work several times side by side; ends when all have ended. */
  async repeat<T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> {
    const settled = await Promise.allSettled(Array.from({ length: times }, (_, index) => work(index)));
    return settled.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
  }
}
