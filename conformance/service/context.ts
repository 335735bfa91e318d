import { setTimeout as pause } from 'node:timers/promises';
import { Failed } from '../engine/case.ts';
import { CaseContext } from '../engine/case-context.ts';
import type { Answer, Transport } from '../engine/http/client.ts';
import { openTransport } from '../engine/http/transport.ts';
import type { Level } from '../engine/result.ts';
import { describeServerError } from '../engine/status-sentences.ts';
import { isRateLimited } from '../engine/schedule/backoff.ts';
import type { PlannedRequest } from '../engine/schedule/sender.ts';
import { buildPath } from '../engine/http/path.ts';
import { type Account, encodeBasic } from './account.ts';
import { type CreatedBranch, checkCreated, checkCreatedBy } from './documented.ts';
import { type ExportTable, checkExport } from './export-table.ts';
import type { Branch, Status } from './seeding.ts';
import type { Session } from './session.ts';

const SETTLE_MS = 5_000;
const POLL_MS = 250;

/** What may differ from the documented request of an operation. */
export interface RequestChange {
  /** Left out: the first account. */
  readonly as?: Account;
  readonly workspace?: string;
  /** What follows the path, without its question mark. */
  readonly query?: string | undefined;
  /** All headers, instead of the documented ones. */
  readonly headers?: readonly [string, string][];
  /** Beside these. */
  readonly moreHeaders?: readonly [string, string][];
  /** The body goes out in two parts, with a pause between. */
  readonly isInParts?: boolean;
  readonly lane?: string;
  readonly impatient?: boolean;
  readonly unpaced?: boolean;
  /** Keeps the connection for other requests over the same transport. */
  readonly transport?: Transport;
}

export interface ContextOptions {
  /** Tells its names from those of other cases: letters and digits, the last a digit. */
  readonly who: string;
  /** Defaults to `required`. */
  readonly level?: Level;
}

/** A running case of a service. */
export class ServiceContext extends CaseContext {
  readonly session: Session;
  readonly #who: string;
  readonly #level: Level;
  #names = 0;
  #uuids = 0;

  constructor(session: Session, { who, level = 'required' }: ContextOptions) {
    super(session.sender);
    this.session = session;
    this.#who = who;
    this.#level = level;
  }

  /** Sends one request; ends the case unless a whole answer comes. A server error is lawful in no case. */
  override async send(planned: PlannedRequest): Promise<Answer> {
    const answer = await super.send(planned);
    if (this.#level === 'observed' && answer.status >= 500 && !isRateLimited({ answer })) {
      this.violations.push(describeServerError(answer.status));
    }
    return answer;
  }

  /** How long a row may take to show up. */
  get settleMs(): number {
    return this.session.options.settleMs ?? SETTLE_MS;
  }

  /** A valid name that nobody has used. */
  name(): string {
    this.#names += 1;
    return this.session.name(this.#who, this.#names - 1);
  }

  /** An id that nobody else uses. */
  uuid(): string {
    this.#uuids += 1;
    return this.session.chance.uuid(`${this.#who} ${this.#uuids}`);
  }

  /** Create Branch; a text is the body as it is. */
  async create(body: { name: unknown } | string | Uint8Array, change: RequestChange = {}): Promise<Answer> {
    const { as: account = this.session.account, workspace = this.session.workspace } = change;
    const answer = await this.send({
      method: 'POST',
      path: buildPath('workspaces', workspace, 'branches', 'v1') + writeQuery(change.query),
      lane: change.lane ?? this.session.lane(account, 'create'),
      headers: [
        ...(change.headers ?? [
          ['authorization', encodeBasic(account)],
          ['content-type', 'application/json'],
        ]),
        ...(change.moreHeaders ?? []),
      ],
      isInParts: change.isInParts,
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      impatient: change.impatient ?? false,
      unpaced: change.unpaced ?? false,
      ...(change.transport === undefined ? {} : { transport: change.transport }),
    });
    if (change.workspace === undefined) this.session.remember(answer);
    if (this.#level === 'observed' && answer.status === 201) this.violations.push(...checkCreatedBy(body, answer));
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
      path: buildPath('workspaces', workspace, 'branches', 'export', 'v1') + writeQuery(change.query),
      lane: change.lane ?? this.session.lane(account, 'export'),
      headers: [
        ...(change.headers ?? [['authorization', encodeBasic(account)] as const]),
        ...(change.moreHeaders ?? []),
      ],
      impatient: change.impatient ?? false,
      unpaced: change.unpaced ?? false,
      ...(change.transport === undefined ? {} : { transport: change.transport }),
    });
  }

  /**
   * Exports, and ends the case unless the answer is a table with the documented columns.
   *
   * @param isSettled - asked of each table until it holds, or for as long as a row may take to show up.
   */
  async exportTable(
    change: RequestChange = {},
    isSettled: (table: ExportTable) => boolean = () => true,
  ): Promise<ExportTable> {
    const until = performance.now() + this.settleMs;
    for (;;) {
      const { problems, table } = checkExport(await this.export(change));
      this.demand(problems);
      if (isSettled(table) || performance.now() >= until) return table;
      await pause(POLL_MS);
    }
  }

  /** Does something over one connection that is kept. */
  async overOneConnection(work: (transport: Transport) => Promise<void>): Promise<void> {
    const transport = openTransport(this.session.options.connection, 1);
    try {
      await work(transport);
    } finally {
      transport.close();
    }
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
      this.warnings.push(...maker.warnings);
    }
  }
}

function writeQuery(query: string | undefined): string {
  return query === undefined ? '' : `?${query}`;
}
