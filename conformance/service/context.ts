import { pathOf } from '../engine/http/path.ts';
import type { Exchange } from '../engine/result.ts';
import { type Account, basic } from './account.ts';
import { Failed, NotObserved, Skipped } from '../engine/case.ts';
import type { Answer } from '../engine/http/client.ts';
import { type CreatedBranch, judgeCreated } from './documented.ts';
import { type ExportTable, judgeExport } from './export-table.ts';
import type { Branch, Status } from './seeding.ts';
import type { Sent } from '../engine/schedule/sender.ts';
import type { Session } from './session.ts';

/** What may differ from the documented request of an operation. */
export interface Asked {
  /** Left out: the first account. */
  readonly as?: Account;
  readonly workspace?: string;
  /** All headers, instead of the documented ones. */
  readonly headers?: readonly [string, string][];
  readonly lane?: string;
  readonly impatient?: boolean;
  readonly unpaced?: boolean;
}

/** One case under way: it sends requests, keeps what went to and fro, and collects what is wrong. */
export class Trial {
  readonly session: Session;
  readonly exchanges: Exchange[] = [];
  readonly problems: string[] = [];

  constructor(session: Session) {
    this.session = session;
  }

  /** A valid name that nobody has used. */
  name(): string {
    return this.session.name();
  }

  /** Notes the sentence unless the condition holds. */
  check(condition: boolean, problem: string): void {
    if (!condition) this.problems.push(problem);
  }

  /** Notes the sentences, and ends the case if there are any. */
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

  /** Sends one request; ends the case where no whole answer comes. */
  async send(sent: Sent): Promise<Answer> {
    const { exchange, outcome } = await this.session.sender.send(sent);
    this.exchanges.push(exchange);
    if (outcome.answer === undefined || outcome.problem !== undefined) {
      this.problems.push(outcome.problem ?? 'The service did not answer.');
      throw new Failed();
    }
    return outcome.answer;
  }

  /** Create Branch; a text is the body as it is. */
  async create(body: { name: unknown } | string | Uint8Array, asked: Asked = {}): Promise<Answer> {
    const account = asked.as ?? this.session.account;
    const answer = await this.send({
      method: 'POST',
      path: pathOf('workspaces', asked.workspace ?? this.session.workspace, 'branches', 'v1'),
      lane: asked.lane ?? this.session.lane(account, 'create'),
      headers: asked.headers ?? [
        ['authorization', basic(account)],
        ['content-type', 'application/json'],
      ],
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      impatient: asked.impatient ?? false,
      unpaced: asked.unpaced ?? false,
    });
    if (asked.workspace === undefined) this.session.remember(answer);
    return answer;
  }

  /** Creates a branch, and ends the case unless the answer is as documented. */
  async created(name = this.name(), asked: Asked = {}): Promise<CreatedBranch> {
    const { problems, branch } = judgeCreated(await this.create({ name }, asked), name);
    this.demand(problems);
    return branch;
  }

  /** Export Branch Stats. */
  export(asked: Asked = {}): Promise<Answer> {
    const account = asked.as ?? this.session.account;
    return this.send({
      method: 'GET',
      path: pathOf('workspaces', asked.workspace ?? this.session.workspace, 'branches', 'export', 'v1'),
      lane: asked.lane ?? this.session.lane(account, 'export'),
      headers: asked.headers ?? [['authorization', basic(account)]],
      impatient: asked.impatient ?? false,
      unpaced: asked.unpaced ?? false,
    });
  }

  /** Exports, and ends the case unless the answer is a table with the documented columns. */
  async exported(asked: Asked = {}): Promise<ExportTable> {
    const judged = judgeExport(await this.export(asked));
    this.demand(judged.problems);
    return judged.table;
  }

  /** Does something once for each of the lanes, all at the same time, as soon as their pace allows it; ends when all have ended. */
  async together<T>(lanes: readonly string[], work: (index: number) => Promise<T>): Promise<T[]> {
    await this.session.sender.reserve(lanes);
    return this.allOf(lanes.length, work);
  }

  /** Does something several times side by side; ends when all have ended. */
  async allOf<T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> {
    const settled = await Promise.allSettled(Array.from({ length: times }, (_, index) => work(index)));
    return settled.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
  }

  /** Creates a branch and puts it into a status. */
  async seeded(status: Status): Promise<CreatedBranch> {
    const branch = await this.created();
    await this.seed(branch, status);
    return branch;
  }

  /** Puts a branch into a status; skips the case where that can't be done. */
  async seed(branch: Branch, status: Status): Promise<void> {
    try {
      await this.session.seeding?.(branch, status, this.session.workspace);
    } catch (error) {
      this.skip(error instanceof Error ? error.message : String(error));
    }
  }

  /** Something that many cases look at and that is made once; each of them shows the exchanges behind it. */
  async shared<T>(key: string, make: (trial: Trial) => Promise<T>): Promise<T> {
    const { trial, value } = this.session.shared(key, make);
    try {
      return await value;
    } catch (error) {
      if (error instanceof Failed) this.problems.push(...trial.problems);
      throw error;
    } finally {
      this.exchanges.push(...trial.exchanges);
    }
  }
}
