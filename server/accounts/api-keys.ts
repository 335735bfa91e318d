import { type Selectable, sql } from 'kysely';
import type { ApiKeyRow } from './tables.ts';
import { UserError } from '../user-error.ts';
import { formatApiKey, parseApiKey } from './api-key-text.ts';
import type { ApiKey } from './principals.ts';
import { generateSecret, NO_HASH } from './secrets.ts';
import type { AccountDependencies } from './service-accounts.ts';

export interface NewApiKey {
  workspaceId: string;
  /** The app that the key ships in. */
  source: string;
  /** The share of events, 0 to 1, that the library is asked to report. */
  samplingRate: number;
}

/** A key as it is listed: all but its secret. */
export interface ListedApiKey extends ApiKey {
  createdAt: number;
}

const VALID_SOURCE = /^[^\p{Cc}]{1,100}$/u;

/** The Inspector API keys of all workspaces. A key can only ingest, and only for its workspace and source. */
export class ApiKeys {
  readonly #dependencies: AccountDependencies;

  constructor(dependencies: AccountDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * @returns the key as listed, and the text to put into the app, which is kept nowhere in clear
   * @throws UserError for a value that can't stand, or an unknown workspace
   */
  async create(wanted: NewApiKey): Promise<{ key: ListedApiKey; text: string }> {
    check(wanted);
    const { workspaces, hasher, clock, newId } = this.#dependencies;
    const secret = generateSecret();
    const row: ApiKeyRow = {
      workspace_id: wanted.workspaceId,
      key_id: newId(),
      source: wanted.source,
      secret_hash: hasher.hash(secret),
      sampling_rate: wanted.samplingRate,
      created_at: clock(),
    };
    await workspaces.write(wanted.workspaceId, (transaction) =>
      transaction.insertInto('api_keys').values(row).execute(),
    );
    const key = fromRow(row);
    return { key, text: formatApiKey({ workspaceId: key.workspaceId, keyId: key.keyId, secret }) };
  }

  async list(workspaceId: string): Promise<ListedApiKey[]> {
    await this.#dependencies.workspaces.require(workspaceId);
    const rows = await this.#dependencies.storage.db
      .selectFrom('api_keys')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .orderBy('created_at')
      .orderBy('key_id')
      .execute();
    return rows.map(fromRow);
  }

  /** @throws UserError when the workspace has no such key */
  async delete(workspaceId: string, keyId: string): Promise<void> {
    await this.#dependencies.workspaces.require(workspaceId);
    const result = await this.#dependencies.storage.write((transaction) =>
      transaction
        .deleteFrom('api_keys')
        .where('workspace_id', '=', workspaceId)
        .where('key_id', '=', keyId)
        .executeTakeFirst(),
    );
    if (result.numDeletedRows === 1n) return;
    throw new UserError(
      `The workspace "${workspaceId}" has no API key with the id ${keyId}. See \`branchline key list --workspace ${workspaceId}\`.`,
    );
  }

  /** The key with this text, or undefined. Nothing is cached, so a deleted key stops working at once. */
  async authenticate(text: string | undefined): Promise<ApiKey | undefined> {
    const parts = parseApiKey(text);
    if (parts === undefined) return undefined;
    const { storage, hasher } = this.#dependencies;
    // As with the accounts: one row in any case, and the same look-ups.
    const { rows } = await sql<Selectable<ApiKeyRow>>`
      select coalesce(api_key.workspace_id, ${NO_KEY.workspace_id}) as workspace_id,
        coalesce(api_key.key_id, ${NO_KEY.key_id}) as key_id,
        coalesce(api_key.source, ${NO_KEY.source}) as source,
        case when workspace.workspace_id is null then ${NO_KEY.secret_hash}
          else coalesce(api_key.secret_hash, ${NO_KEY.secret_hash}) end as secret_hash,
        coalesce(api_key.sampling_rate, ${NO_KEY.sampling_rate}) as sampling_rate,
        coalesce(api_key.created_at, ${NO_KEY.created_at}) as created_at
      from (select 1 as row) as asked
      left join workspaces as workspace on workspace.workspace_id = ${parts.workspaceId} and workspace.deleted_at is null
      left join api_keys as api_key on api_key.workspace_id = ${parts.workspaceId} and api_key.key_id = ${parts.keyId}
    `.execute(storage.db);
    const [row = NO_KEY] = rows;
    return hasher.matches(parts.secret, row.secret_hash) ? fromRow(row) : undefined;
  }
}

/** Nobody's key: no secret has this hash. As long as most are. */
const NO_KEY: Selectable<ApiKeyRow> = {
  workspace_id: '00000000-0000-7000-8000-000000000000',
  key_id: '00000000-0000-7000-8000-000000000000',
  source: 'nobody',
  secret_hash: NO_HASH,
  sampling_rate: 1,
  created_at: 1_577_836_800_000,
};

function check({ source, samplingRate }: NewApiKey): void {
  if (!VALID_SOURCE.test(source)) {
    throw new UserError(
      'The source must have 1 to 100 characters, without control characters. Name the app that the key ships in.',
    );
  }
  if (!(samplingRate >= 0 && samplingRate <= 1)) throw new UserError('The sampling rate must be from 0 to 1.');
}

function fromRow(row: ApiKeyRow): ListedApiKey {
  return {
    workspaceId: row.workspace_id,
    keyId: row.key_id,
    source: row.source,
    samplingRate: row.sampling_rate,
    createdAt: row.created_at,
  };
}
