import { type Selectable, sql } from 'kysely';
import type { ApiKeyRow } from './tables.ts';
import { keepLiveWorkspace } from '../storage/live-workspace.ts';
import { requireStillAdmin } from './acting-admin.ts';
import { formatApiKey, parseApiKey } from './api-key-text.ts';
import { appendAuditLine } from './audit.ts';
import { requireRoomFor } from './credential-limit.ts';
import { type KeyUse, storedKeyUse } from './key-use.ts';
import { type CheckedUnder, requirePresentHashKey, requireSameHashKey } from './present-hash-key.ts';
import type { ApiKey, Session } from './principals.ts';
import { generateSecret, NO_HASH } from './secrets.ts';
import type { AccountDependencies } from './service-accounts.ts';

export interface NewApiKey {
  workspaceId: string;
  /** The app that the key ships in. */
  source: string;
  /** The share of events, 0 to 1, that the library should report. */
  samplingRate: number;
}

/** A listed key, without its secret. */
export interface ListedApiKey extends ApiKey {
  createdAt: number;
  /** Left out if it was never used. */
  use?: KeyUse;
}

/** The Inspector API keys of all workspaces. A key can only ingest, and only for its workspace and source. */
export class ApiKeys {
  readonly #dependencies: AccountDependencies;

  constructor(dependencies: AccountDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Creates a key from values that satisfy the contract.
   *
   * @param by the person who creates it; left out: the command line
   * @returns the key as listed, and the text to put into the app, which is not stored in plain text
   * @throws WorkspaceGone
   * @throws TooManyCredentials
   * @throws OtherHashKey
   * @throws HttpError if the person is no admin any more
   */
  async create(wanted: NewApiKey, by?: Session): Promise<{ key: ListedApiKey; text: string }> {
    const { storage, hasher, clock, newId } = this.#dependencies;
    const secret = generateSecret();
    const row: ApiKeyRow = {
      workspace_id: wanted.workspaceId,
      key_id: newId(),
      source: wanted.source.trim(),
      secret_hash: hasher.hash(secret),
      sampling_rate: wanted.samplingRate,
      created_at: clock(),
      last_used_at: null,
      batch_day: null,
      batches: 0,
      libraries: '[]',
    };
    const { workspace_id: workspaceId, created_at: at } = row;
    await storage.write(async (tx) => {
      await requireRoomFor(tx, 'api_keys', workspaceId);
      const actor = await requireStillAdmin(tx, by);
      await requirePresentHashKey(tx, workspaceId, hasher);
      await tx.insertInto('api_keys').values(row).execute();
      await appendAuditLine(tx, { workspaceId, by: actor, at, act: 'apiKeyCreated', subject: describeKey(row) });
    });
    const key = { ...fromRow(row), createdAt: row.created_at };
    return { key, text: formatApiKey({ workspaceId, keyId: key.keyId, secret }) };
  }

  /** Returns the first keys after a position, oldest first. */
  async list(
    workspaceId: string,
    after: readonly [createdAt: number, keyId: string] | undefined,
    limit: number,
  ): Promise<ListedApiKey[]> {
    const keys = this.#dependencies.storage.db
      .selectFrom('api_keys')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .orderBy('created_at')
      .orderBy('key_id')
      .limit(limit);
    const rows = await (
      after === undefined
        ? keys
        : keys.where((row) => row(row.refTuple('created_at', 'key_id'), '>', row.tuple(...after)))
    ).execute();
    return rows.map((row) => ({ ...fromRow(row), createdAt: row.created_at, ...readUse(row) }));
  }

  /**
   * @param by the person who deletes it; left out: the command line
   * @returns whether the key existed
   * @throws WorkspaceGone
   * @throws HttpError if the person is no admin any more
   */
  async delete(workspaceId: string, keyId: string, by?: Session): Promise<boolean> {
    const { storage, clock } = this.#dependencies;
    const isDeleted = await storage.write(async (tx) => {
      await keepLiveWorkspace(tx, workspaceId);
      const actor = await requireStillAdmin(tx, by);
      const deleted = await tx
        .deleteFrom('api_keys')
        .where('workspace_id', '=', workspaceId)
        .where('key_id', '=', keyId)
        .returning(['source', 'key_id'])
        .executeTakeFirst();
      if (deleted === undefined) return false;
      const line = {
        workspaceId,
        by: actor,
        at: clock(),
        act: 'apiKeyDeleted',
        subject: describeKey(deleted),
      } as const;
      await appendAuditLine(tx, line);
      return true;
    });
    if (isDeleted) await storage.rateLimiter().drop(workspaceId, [keyId]);
    return isDeleted;
  }

  /** Whether the key exists and its workspace is not deleted. */
  async exists(workspaceId: string, keyId: string): Promise<boolean> {
    const found = await this.#dependencies.storage.db
      .selectFrom('api_keys as api_key')
      .innerJoin('workspaces as workspace', (join) => join.on('workspace.workspace_id', '=', workspaceId))
      .select('api_key.key_id')
      .where('api_key.workspace_id', '=', workspaceId)
      .where('api_key.key_id', '=', keyId)
      .where('workspace.deleted_at', 'is', null)
      .executeTakeFirst();
    return found !== undefined;
  }

  /** Returns the key with this text, or undefined. Nothing is cached, so a deleted key stops working at once. */
  async authenticate(text: string | undefined): Promise<ApiKey | undefined> {
    const parts = parseApiKey(text);
    if (parts === undefined) return undefined;
    const { storage, hasher } = this.#dependencies;
    // As with accounts: always one row and the same look-ups.
    const { rows } = await sql<KeyRow>`
      select coalesce(api_key.workspace_id, ${NO_KEY.workspace_id}) as workspace_id,
        coalesce(api_key.key_id, ${NO_KEY.key_id}) as key_id,
        coalesce(api_key.source, ${NO_KEY.source}) as source,
        case when workspace.workspace_id is null then ${NO_KEY.secret_hash}
          else coalesce(api_key.secret_hash, ${NO_KEY.secret_hash}) end as secret_hash,
        coalesce(api_key.sampling_rate, ${NO_KEY.sampling_rate}) as sampling_rate,
        case when api_key.key_id is null then null else workspace.hash_key_id end as hash_key_id
      from (select 1 as row) as asked
      left join workspaces as workspace on workspace.workspace_id = ${parts.workspaceId} and workspace.deleted_at is null
      left join api_keys as api_key on api_key.workspace_id = ${parts.workspaceId} and api_key.key_id = ${parts.keyId}
    `.execute(storage.db);
    const [row = NO_KEY] = rows;
    requireSameHashKey(parts.workspaceId, row.hash_key_id, hasher);
    return hasher.matches(parts.secret, row.secret_hash) ? fromRow(row) : undefined;
  }
}

/** The columns that authentication reads. */
type KeyRow = Pick<Selectable<ApiKeyRow>, 'workspace_id' | 'key_id' | 'source' | 'secret_hash' | 'sampling_rate'> &
  CheckedUnder;

/** A dummy key whose hash matches no secret, as long as most keys. */
const NO_KEY: KeyRow = {
  workspace_id: '00000000-0000-7000-8000-000000000000',
  key_id: '00000000-0000-7000-8000-000000000000',
  source: 'nobody',
  secret_hash: NO_HASH,
  sampling_rate: 1,
  hash_key_id: null,
};

/** A key's name in the audit log. */
export function describeKey({ source, key_id }: Pick<ApiKeyRow, 'source' | 'key_id'>): string {
  return `${source} (${key_id})`;
}

function readUse(row: ApiKeyRow): { use?: KeyUse } {
  const use = storedKeyUse(row);
  return use === undefined ? {} : { use };
}

function fromRow(row: Pick<ApiKeyRow, 'workspace_id' | 'key_id' | 'source' | 'sampling_rate'>): ApiKey {
  return {
    workspaceId: row.workspace_id,
    keyId: row.key_id,
    source: row.source,
    samplingRate: row.sampling_rate,
  };
}
