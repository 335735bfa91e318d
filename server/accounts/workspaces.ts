import type { Transaction } from 'kysely';
import { UserError } from '@branchline/command-line';
import type { Clock } from '../clock.ts';
import { Leases } from '../maintenance/lease.ts';
import { type Pace, REAL_PACE, takeSteps } from '../maintenance/steps.ts';
import { runTask } from '../maintenance/task.ts';
import { deleteRows } from '../storage/delete-rows.ts';
import { lockLiveWorkspace } from '../storage/live-workspace.ts';
import { WorkspaceGone } from '../storage/workspace-gone.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { isUnavailable } from '../storage/transient-errors.ts';
import { type Administered, type AdministrativeAct, appendAuditLine } from './audit.ts';
import { deleteCredentials } from './credentials-end.ts';
import { emptyingWorkspaces, endWorkspace, isEmptied } from './workspace-end.ts';

export interface Workspace {
  workspaceId: string;
  createdAt: number;
}

/** The time limit of long work, and who is informed about its progress. */
export interface LongWorkOptions {
  /** Called after each step that deleted any rows, with the number deleted so far. */
  onProgress?: (deletedRows: number) => void;
  /** Called once if another process does the work, which is waited for. */
  onWait?: () => void;
  pace?: Pace;
}

/** The pause between two looks at another process's work. */
const LOOK_AGAIN_MS = 500;

const VALID_ID = /^[a-z0-9-]{1,63}$/;

/** On a command line, what begins with a hyphen is an option. Earlier versions made such ids, which stay valid. */
const VALID_NEW_ID = /^(?!-)[a-z0-9-]{1,63}$/;

/** Whether an id is valid for a workspace. */
export function isWorkspaceId(text: string): boolean {
  return VALID_ID.test(text);
}

/** The workspaces of this installation. */
export class Workspaces {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #hashKeyId: string;
  readonly #sharedClock: Clock | undefined;

  /**
   * @param hashKeyId the hash key of the secrets
   * @param sharedClock replaces the time shared by all processes of this database
   */
  constructor(storage: Storage, clock: Clock, hashKeyId: string, sharedClock?: Clock) {
    this.#storage = storage;
    this.#clock = clock;
    this.#hashKeyId = hashKeyId;
    this.#sharedClock = sharedClock;
  }

  /** @throws UserError if the id is invalid or taken */
  async create(workspaceId: string): Promise<Workspace> {
    if (!VALID_NEW_ID.test(workspaceId)) {
      throw new UserError(
        `"${workspaceId}" can't be the id of a workspace. Use 1 to 63 lowercase letters, digits and hyphens, of which a hyphen is not the first.`,
      );
    }
    const workspace = await this.createIfFree(workspaceId);
    if (workspace !== undefined) return workspace;
    if ((await find(this.#storage, workspaceId))?.deleted_at == null) {
      throw new UserError(`There is a workspace "${workspaceId}" already.`);
    }
    throw new UserError(
      `The id "${workspaceId}" can't be used again: it was that of a workspace that has been deleted. Choose another one.`,
    );
  }

  /** @returns undefined if the id, which must be valid, is or was taken */
  async createIfFree(workspaceId: string): Promise<Workspace | undefined> {
    const createdAt = this.#clock();
    return this.#storage.write(async (tx) => {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('workspaces')
        .values({ workspace_id: workspaceId, hash_key_id: this.#hashKeyId, created_at: createdAt })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows !== 1n) return undefined;
      await appendAuditLine(tx, byCommandLine('workspaceCreated', workspaceId, createdAt));
      return { workspaceId, createdAt };
    });
  }

  async list(): Promise<Workspace[]> {
    const rows = await this.#storage.db
      .selectFrom('workspaces')
      .select(['workspace_id', 'created_at'])
      .where('deleted_at', 'is', null)
      .orderBy('workspace_id')
      .execute();
    return rows.map((row) => ({ workspaceId: row.workspace_id, createdAt: row.created_at }));
  }

  /** @throws UserError if there is none with this id */
  require(workspaceId: string): Promise<void> {
    return requireWorkspace(this.#storage, workspaceId);
  }

  /** @throws UserError if there is none with this id, or it is completely deleted */
  async requireDeletable(workspaceId: string): Promise<void> {
    const row = await find(this.#storage, workspaceId);
    if (row === undefined || row.emptied_at !== null) throw unknownWorkspace(workspaceId, row !== undefined);
  }

  /**
   * Runs `work` in a transaction that has locked the workspace, and may write rows of it.
   *
   * @throws UserError if there is none with this id
   */
  async write<Result>(
    workspaceId: string,
    work: (transaction: Transaction<Tables>) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#storage.write(async (transaction) => {
        await lockLiveWorkspace(transaction, workspaceId);
        return work(transaction);
      });
    } catch (error) {
      if (!(error instanceof WorkspaceGone)) throw error;
      throw unknownWorkspace(workspaceId, (await find(this.#storage, workspaceId)) !== undefined);
    }
  }

  /** @throws UserError if the secrets of a workspace use another hash key: none of them would work */
  async requireHashKey(): Promise<void> {
    const row = await this.#storage.db
      .selectFrom('workspaces')
      .select('workspace_id')
      .where('hash_key_id', '!=', this.#hashKeyId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (row === undefined) return;
    throw new UserError(
      `The hash key is not the one under which the secrets of the workspace "${row.workspace_id}" are stored, so none of them would work. ` +
        'Give the right one; if it is lost for good, see `branchline workspace rekey --help`.',
    );
  }

  /**
   * Moves the workspace to our hash key. Its accounts, API keys, sessions and sign-in links are deleted, since their secrets are
   * useless under another key; everything else stays, including people and their passwords. An interrupted move can be repeated.
   *
   * @throws UserError if there is none with this id, or it has our hash key
   */
  async rekey(workspaceId: string, { onProgress, pace = REAL_PACE }: LongWorkOptions = {}): Promise<void> {
    await this.require(workspaceId);
    await this.#requireOtherHashKey(workspaceId);
    const entrances = ['sessions', 'sign_in_links'] as const;
    const steps = counting(deleteRows(this.#storage, workspaceId, entrances), onProgress);
    await takeSteps(steps, { pace, signal: NEVER });
    const deleted = await this.write(workspaceId, async (tx) => {
      // Credentials created in the meantime: whoever stores a secret under the old key has done so, or finds the new one.
      for (const table of entrances) await tx.deleteFrom(table).where('workspace_id', '=', workspaceId).execute();
      const ids = await deleteCredentials(tx, workspaceId, this.#clock());
      await tx
        .updateTable('workspaces')
        .set({ hash_key_id: this.#hashKeyId })
        .where('workspace_id', '=', workspaceId)
        .execute();
      await appendAuditLine(tx, byCommandLine('workspaceRekeyed', workspaceId, this.#clock()));
      return ids;
    });
    await this.#storage.rateLimiter().drop(workspaceId, deleted);
  }

  /** @throws UserError if the secrets of the workspace use our hash key, and so work */
  async #requireOtherHashKey(workspaceId: string): Promise<void> {
    const { hash_key_id: hashKeyId } = await this.#storage.db
      .selectFrom('workspaces')
      .select('hash_key_id')
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    if (hashKeyId !== this.#hashKeyId) return;
    throw new UserError(
      `The workspace "${workspaceId}" already uses this hash key, and its secrets work, so nothing was deleted. ` +
        'To delete accounts or API keys, see `branchline account delete --help` and `branchline key delete --help`.',
    );
  }

  /**
   * Deletes the workspace with everything in it: its accounts and keys, its branches, its observations. Nobody can use it
   * any more from that moment; its rows are then deleted step by step. If interrupted, a server's maintenance
   * or another call finishes the deletion. Its id is never free again.
   *
   * @throws UserError if there is none with this id, or the database failed before all rows were deleted
   */
  async delete(workspaceId: string, options: LongWorkOptions = {}): Promise<void> {
    await this.requireDeletable(workspaceId);
    await endWorkspace(this.#storage, workspaceId, this.#clock());
    try {
      await this.#empty(workspaceId, options);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      throw new UserError(
        `The workspace "${workspaceId}" is deleted, but not yet all that was in it: the database could not be used any more ` +
          `(${String(error)}). A server goes on within about an hour; to go on now, run the command again.`,
      );
    }
  }

  /** Deletes the rows, or waits while a server does. */
  async #empty(workspaceId: string, { onProgress, onWait, pace = REAL_PACE }: LongWorkOptions): Promise<void> {
    const leases = new Leases({ storage: this.#storage, clock: this.#sharedClock });
    const task = emptyingWorkspaces(this.#storage, this.#clock, summing(onProgress));
    let sayOnce = onWait;
    while (!(await isEmptied(this.#storage, workspaceId))) {
      const run = await runTask(task, { leases, pace, signal: NEVER, when: 'now' });
      if (run !== 'refused') continue;
      sayOnce?.();
      sayOnce = undefined;
      await pace.pause(LOOK_AGAIN_MS, NEVER);
    }
  }
}

/** Whether there is any workspace that is not deleted. */
export async function hasWorkspaces({ db }: Storage): Promise<boolean> {
  const living = db.selectFrom('workspaces').select('workspace_id').where('deleted_at', 'is', null).limit(1);
  return (await living.executeTakeFirst()) !== undefined;
}

/** @throws UserError if there is none with this id */
export async function requireWorkspace(storage: Storage, workspaceId: string): Promise<void> {
  const row = await find(storage, workspaceId);
  if (row === undefined || row.deleted_at !== null) throw unknownWorkspace(workspaceId, row !== undefined);
}

function find({ db }: Storage, workspaceId: string) {
  return db
    .selectFrom('workspaces')
    .select(['deleted_at', 'emptied_at'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
}

/** An action on the workspace as a whole, which no person in it can take. */
function byCommandLine(act: AdministrativeAct, workspaceId: string, at: number): Administered {
  return { workspaceId, by: undefined, at, act, subject: workspaceId };
}

const NEVER = new AbortController().signal;

async function* counting(steps: AsyncIterable<number>, onProgress: LongWorkOptions['onProgress']) {
  const count = summing(onProgress);
  for await (const rows of steps) yield count(rows);
}

function summing(onProgress: LongWorkOptions['onProgress']): (rows: number) => void {
  let deleted = 0;
  return (rows) => {
    if (rows > 0) onProgress?.((deleted += rows));
  };
}

function unknownWorkspace(workspaceId: string, wasDeleted: boolean): UserError {
  if (wasDeleted) return new UserError(`The workspace "${workspaceId}" is deleted. See \`branchline workspace list\`.`);
  return new UserError(
    `There is no workspace "${workspaceId}". See \`branchline workspace list\`, or make it with \`branchline workspace create ${workspaceId}\`.`,
  );
}
