import { randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { LEAST_REQUESTS_PER_SECOND } from '../config.ts';
import { keepLiveWorkspace } from '../storage/live-workspace.ts';
import type { Storage } from '../storage/storage.ts';
import { isTexts, parseStored } from '../storage/stored-json.ts';
import { requireStillAdmin } from './acting-admin.ts';
import { appendAuditLine } from './audit.ts';
import { requireRoomFor } from './credential-limit.ts';
import { type CheckedUnder, requirePresentHashKey, requireSameHashKey } from './present-hash-key.ts';
import { type Scope, SCOPES, type ServiceAccount, type Session } from './principals.ts';
import { generateSecret, NO_HASH, type SecretHasher } from './secrets.ts';
import type { ServiceAccountRow } from './tables.ts';

export interface NewServiceAccount {
  workspaceId: string;
  /** A short label for its purpose; the account's name is this label and a random suffix. */
  label: string;
  email: string;
  scopes: readonly Scope[];
  ratePerSecond: number | null;
  rateEnforcement: 'soft' | 'hard' | null;
}

/** A listed account, without its secret. */
export interface ListedServiceAccount extends ServiceAccount {
  createdAt: number;
  /** null: never. */
  lastUsedAt: number | null;
}

/** The dependencies of accounts and keys. */
export interface AccountDependencies {
  storage: Storage;
  hasher: SecretHasher;
  clock: Clock;
  newId: () => string;
}

/** The service accounts of all workspaces. */
export class ServiceAccounts {
  readonly #dependencies: AccountDependencies;

  constructor(dependencies: AccountDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Creates an account from values that satisfy the contract.
   *
   * @param by the person who creates it; left out: the command line
   * @returns the account and its secret, which is not stored in plain text
   * @throws WorkspaceGone
   * @throws TooManyCredentials
   * @throws OtherHashKey
   * @throws HttpError if the person is no admin any more
   */
  async create(wanted: NewServiceAccount, by?: Session): Promise<{ account: ListedServiceAccount; secret: string }> {
    const { storage, hasher, clock, newId } = this.#dependencies;
    const secret = generateSecret();
    const row: ServiceAccountRow = {
      workspace_id: wanted.workspaceId,
      account_id: newId(),
      name: `${wanted.label.trim().normalize('NFC')}-${randomSuffix()}`,
      email: wanted.email,
      secret_hash: hasher.hash(secret),
      scopes: JSON.stringify(wanted.scopes),
      rate_per_second: wanted.ratePerSecond,
      rate_enforcement: wanted.rateEnforcement,
      created_at: clock(),
      last_used_at: null,
    };
    const { workspace_id: workspaceId, name: subject, created_at: at } = row;
    await storage.write(async (tx) => {
      await requireRoomFor(tx, 'service_accounts', workspaceId);
      const actor = await requireStillAdmin(tx, by);
      await requirePresentHashKey(tx, workspaceId, hasher);
      await tx.insertInto('service_accounts').values(row).execute();
      await appendAuditLine(tx, { workspaceId, by: actor, at, act: 'serviceAccountCreated', subject });
    });
    return { account: toListed(row), secret };
  }

  /** Returns the first accounts after a position, oldest first. */
  async list(
    workspaceId: string,
    after: readonly [createdAt: number, accountId: string] | undefined,
    limit: number,
  ): Promise<ListedServiceAccount[]> {
    const accounts = this.#dependencies.storage.db
      .selectFrom('service_accounts')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .orderBy('created_at')
      .orderBy('account_id')
      .limit(limit);
    const rows = await (
      after === undefined
        ? accounts
        : accounts.where((row) => row(row.refTuple('created_at', 'account_id'), '>', row.tuple(...after)))
    ).execute();
    return rows.map(toListed);
  }

  /**
   * @param by the person who deletes it; left out: the command line
   * @returns whether the account existed
   * @throws WorkspaceGone
   * @throws HttpError if the person is no admin any more
   */
  async delete(workspaceId: string, accountId: string, by?: Session): Promise<boolean> {
    const { storage, clock } = this.#dependencies;
    const isDeleted = await storage.write(async (tx) => {
      await keepLiveWorkspace(tx, workspaceId);
      const actor = await requireStillAdmin(tx, by);
      const deleted = await tx
        .deleteFrom('service_accounts')
        .where('workspace_id', '=', workspaceId)
        .where('account_id', '=', accountId)
        .returning('name')
        .executeTakeFirst();
      if (deleted === undefined) return false;
      const line = {
        workspaceId,
        by: actor,
        at: clock(),
        act: 'serviceAccountDeleted',
        subject: deleted.name,
      } as const;
      await appendAuditLine(tx, line);
      return true;
    });
    if (isDeleted) await storage.rateLimiter().drop(workspaceId, [accountId]);
    return isDeleted;
  }

  /** Whether the account exists and its workspace is not deleted. */
  async exists(workspaceId: string, accountId: string): Promise<boolean> {
    const found = await this.#dependencies.storage.db
      .selectFrom('service_accounts as account')
      .innerJoin('workspaces as workspace', (join) => join.on('workspace.workspace_id', '=', workspaceId))
      .select('account.account_id')
      .where('account.workspace_id', '=', workspaceId)
      .where('account.account_id', '=', accountId)
      .where('workspace.deleted_at', 'is', null)
      .executeTakeFirst();
    return found !== undefined;
  }

  /**
   * Returns the account with these credentials, or undefined. An unknown name takes as long as a wrong secret. Nothing is
   * cached, so a deleted account stops working at once.
   */
  async authenticate(workspaceId: string, name: string, secret: string): Promise<ServiceAccount | undefined> {
    const { storage, hasher } = this.#dependencies;
    // Always returns one row of the same width, so that timing does not reveal which accounts exist. Both rows are always
    // looked up, too; only the hash shows that the workspace exists.
    const { rows } = await sql<AccountRow>`
      select coalesce(account.workspace_id, ${NOBODY.workspace_id}) as workspace_id,
        coalesce(account.account_id, ${NOBODY.account_id}) as account_id,
        coalesce(account.name, ${NOBODY.name}) as name,
        coalesce(account.email, ${NOBODY.email}) as email,
        case when workspace.workspace_id is null then ${NOBODY.secret_hash}
          else coalesce(account.secret_hash, ${NOBODY.secret_hash}) end as secret_hash,
        coalesce(account.scopes, ${NOBODY.scopes}) as scopes,
        account.rate_per_second, account.rate_enforcement,
        case when account.account_id is null then null else workspace.hash_key_id end as hash_key_id
      from (select 1 as row) as asked
      left join workspaces as workspace on workspace.workspace_id = ${workspaceId} and workspace.deleted_at is null
      left join service_accounts as account on account.workspace_id = ${workspaceId} and account.name = ${name}
    `.execute(storage.db);
    const [row = NOBODY] = rows;
    requireSameHashKey(workspaceId, row.hash_key_id, hasher);
    return hasher.matches(secret, row.secret_hash) ? fromRow(row) : undefined;
  }
}

/** The columns that authentication reads. */
type AccountRow = Omit<Selectable<ServiceAccountRow>, 'created_at' | 'last_used_at'> & CheckedUnder;

/** A dummy account whose hash matches no secret, as long as most accounts. */
const NOBODY: AccountRow = {
  workspace_id: '00000000-0000-7000-8000-000000000000',
  account_id: '00000000-0000-7000-8000-000000000000',
  name: 'nobody-aaaaaaaa',
  email: 'nobody@example.com',
  secret_hash: NO_HASH,
  scopes: JSON.stringify(SCOPES),
  rate_per_second: null,
  rate_enforcement: null,
  hash_key_id: null,
};

const SUFFIX_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** 40 random bits as 8 characters, so that no two accounts of a workspace share a name. */
function randomSuffix(): string {
  return Array.from(randomBytes(8), (byte) => SUFFIX_ALPHABET[byte % SUFFIX_ALPHABET.length]).join('');
}

function toListed(row: Selectable<ServiceAccountRow>): ListedServiceAccount {
  return { ...fromRow(row), createdAt: row.created_at, lastUsedAt: row.last_used_at };
}

function fromRow(row: Omit<AccountRow, keyof CheckedUnder>): ServiceAccount {
  const scopes: readonly string[] = parseStored('service_accounts.scopes', row.scopes, isTexts);
  return {
    workspaceId: row.workspace_id,
    accountId: row.account_id,
    name: row.name,
    email: row.email,
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    // It may have been stored before there was a least one.
    ratePerSecond: row.rate_per_second === null ? null : Math.max(row.rate_per_second, LEAST_REQUESTS_PER_SECOND),
    rateEnforcement: row.rate_enforcement === 'hard' || row.rate_enforcement === 'soft' ? row.rate_enforcement : null,
  };
}
