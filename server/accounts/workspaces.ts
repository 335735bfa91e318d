import type { Clock } from '../clock.ts';
import type { Storage } from '../storage/storage.ts';
import { WORKSPACE_TABLES } from '../storage/tables.ts';
import { UserError } from '../user-error.ts';

export interface Workspace {
  workspaceId: string;
  createdAt: number;
}

const VALID_ID = /^[a-z0-9-]{1,63}$/;

/** Whether a workspace may have this id. */
export function isWorkspaceId(text: string): boolean {
  return VALID_ID.test(text);
}

/** The workspaces of this installation. */
export class Workspaces {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #hashKeyId: string;

  /** @param hashKeyId which hash key secrets are stored under */
  constructor(storage: Storage, clock: Clock, hashKeyId: string) {
    this.#storage = storage;
    this.#clock = clock;
    this.#hashKeyId = hashKeyId;
  }

  /** @throws UserError when the id is not valid or taken */
  async create(workspaceId: string): Promise<Workspace> {
    if (!isWorkspaceId(workspaceId)) {
      throw new UserError(
        `"${workspaceId}" can't be the id of a workspace. Use 1 to 63 lowercase letters, digits and hyphens.`,
      );
    }
    const workspace = await this.createIfFree(workspaceId);
    if (workspace === undefined) throw new UserError(`There is a workspace "${workspaceId}" already.`);
    return workspace;
  }

  /** @returns undefined when the id, which must be valid, is taken */
  async createIfFree(workspaceId: string): Promise<Workspace | undefined> {
    const createdAt = this.#clock();
    const result = await this.#storage.write((transaction) =>
      transaction
        .insertInto('workspaces')
        .values({ workspace_id: workspaceId, hash_key_id: this.#hashKeyId, created_at: createdAt })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst(),
    );
    return result.numInsertedOrUpdatedRows === 1n ? { workspaceId, createdAt } : undefined;
  }

  async list(): Promise<Workspace[]> {
    const rows = await this.#storage.db.selectFrom('workspaces').selectAll().orderBy('workspace_id').execute();
    return rows.map((row) => ({ workspaceId: row.workspace_id, createdAt: row.created_at }));
  }

  /** @throws UserError when there is none with this id */
  async require(workspaceId: string): Promise<void> {
    const row = await this.#storage.db
      .selectFrom('workspaces')
      .select('workspace_id')
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst();
    if (row === undefined) throw unknownWorkspace(workspaceId);
  }

  /** @throws UserError when the secrets of a workspace are stored under another hash key: none of them would work */
  async requireHashKey(): Promise<void> {
    const row = await this.#storage.db
      .selectFrom('workspaces')
      .select('workspace_id')
      .where('hash_key_id', '!=', this.#hashKeyId)
      .executeTakeFirst();
    if (row === undefined) return;
    throw new UserError(
      `The hash key is not the one under which the secrets of the workspace "${row.workspace_id}" are stored, so none of them would work. ` +
        'Give the right one; if it is lost for good, see `branchline workspace rekey --help`.',
    );
  }

  /**
   * Moves the workspace to our hash key. Its accounts and API keys are deleted, since their secrets are worth nothing under
   * another key; all else stays.
   *
   * @throws UserError when there is none with this id
   */
  async rekey(workspaceId: string): Promise<void> {
    await this.#storage.write(async (transaction) => {
      await transaction.deleteFrom('service_accounts').where('workspace_id', '=', workspaceId).execute();
      await transaction.deleteFrom('api_keys').where('workspace_id', '=', workspaceId).execute();
      const result = await transaction
        .updateTable('workspaces')
        .set({ hash_key_id: this.#hashKeyId })
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst();
      if (result.numUpdatedRows !== 1n) throw unknownWorkspace(workspaceId);
    });
  }

  /**
   * Deletes the workspace with everything in it: its accounts and keys, its branches, what the Inspector has observed.
   *
   * @throws UserError when there is none with this id
   */
  async delete(workspaceId: string): Promise<void> {
    await this.#storage.write(async (transaction) => {
      for (const table of WORKSPACE_TABLES) {
        await transaction.deleteFrom(table).where('workspace_id', '=', workspaceId).execute();
      }
      const result = await transaction
        .deleteFrom('workspaces')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst();
      if (result.numDeletedRows !== 1n) throw unknownWorkspace(workspaceId);
    });
  }
}

function unknownWorkspace(workspaceId: string): UserError {
  return new UserError(
    `There is no workspace "${workspaceId}". See \`branchline workspace list\`, or make it with \`branchline workspace create ${workspaceId}\`.`,
  );
}
