import { Failed } from '../engine/case.ts';
import { CaseContext } from '../engine/case-context.ts';
import type { Answer } from '../engine/http/client.ts';
import { buildPath } from '../engine/http/path.ts';
import { type Account, encodeBasic } from './account.ts';
import { type CreatedBranch, checkCreated } from './documented.ts';
import { type ExportTable, checkExport } from './export-table.ts';
import type { Branch, Status } from './seeding.ts';
import type { Session } from './session.ts';

/** What may differ from the documented request of an operation. */
export interface RequestChange {
  /** Left out: the first account. */
  readonly as?: Account;
  readonly workspace?: string;
  /** All headers, instead of the documented ones. */
  readonly headers?: readonly [string, string][];
  readonly lane?: string;
  readonly impatient?: boolean;
  readonly unpaced?: boolean;
}

/** A running case of a service. */
export class ServiceContext extends CaseContext {
  readonly session: Session;

  constructor(session: Session) {
    super(session.sender);
    this.session = session;
  }

  /** A valid name that nobody has used. */
  name(): string {
    return this.session.name();
  }

  /** Create Branch; a text is the body as it is. */
  async create(body: { name: unknown } | string | Uint8Array, change: RequestChange = {}): Promise<Answer> {
    const { as: account = this.session.account, workspace = this.session.workspace } = change;
    const answer = await this.send({
      method: 'POST',
      path: buildPath('workspaces', workspace, 'branches', 'v1'),
      lane: change.lane ?? this.session.lane(account, 'create'),
      headers: change.headers ?? [
        ['authorization', encodeBasic(account)],
        ['content-type', 'application/json'],
      ],
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      impatient: change.impatient ?? false,
      unpaced: change.unpaced ?? false,
    });
    if (change.workspace === undefined) this.session.remember(answer);
    return answer;
  }

  /** Creates a branch, and ends the case unless the answer is as documented. */
  async createBranch(name = this.name(), change: RequestChange = {}): Promise<CreatedBranch> {
    const { problems, branch } = checkCreated(await this.create({ name }, change), name);
    this.demand(problems);
    return branch;
  }

  /** Export Branch Stats. */
  export(change: RequestChange = {}): Promise<Answer> {
    const { as: account = this.session.account, workspace = this.session.workspace } = change;
    return this.send({
      method: 'GET',
      path: buildPath('workspaces', workspace, 'branches', 'export', 'v1'),
      lane: change.lane ?? this.session.lane(account, 'export'),
      headers: change.headers ?? [['authorization', encodeBasic(account)]],
      impatient: change.impatient ?? false,
      unpaced: change.unpaced ?? false,
    });
  }

  /** Exports, and ends the case unless the answer is a table with the documented columns. */
  async exportTable(change: RequestChange = {}): Promise<ExportTable> {
    const { problems, table } = checkExport(await this.export(change));
    this.demand(problems);
    return table;
  }

  /** Creates a branch and puts it into a status. */
  async createInStatus(status: Status): Promise<CreatedBranch> {
    const branch = await this.createBranch();
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
  async share<T>(key: string, make: (maker: ServiceContext) => Promise<T>): Promise<T> {
    const { maker, value } = this.session.share(key, make);
    try {
      return await value;
    } catch (error) {
      if (error instanceof Failed) this.problems.push(...maker.problems);
      throw error;
    } finally {
      this.exchanges.push(...maker.exchanges);
    }
  }
}
