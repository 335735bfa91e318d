import type { FastifyInstance } from 'fastify';
import type { Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { toDay } from '../inspector/hours.ts';
import { requireLiveWorkspace } from '../storage/live-workspace.ts';
import { WorkspaceGone } from '../storage/workspace-gone.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { isPostgres } from '../storage/text-column.ts';
import { isUnavailable } from '../storage/transient-errors.ts';
import { AHEAD_MS, keyUseColumns, type KeyUse, type Library, mergeKeyUse, storedKeyUse, takeBack } from './key-use.ts';
import type { ApiKey, ServiceAccount } from './principals.ts';

/** The maximum time before a use is written to the database. */
const WRITE_EVERY_MS = 60_000;

/** The number of credentials per transaction, so that nobody waits long for it. */
const MOST_CREDENTIALS = 100;

/** The uses of a workspace's credentials that are not written yet. */
interface WorkspaceUse {
  /** When each account was last used. */
  accounts: Map<string, number>;
  keys: Map<string, KeyUse>;
}

export interface CredentialUseOptions {
  storage: Pick<Storage, 'write'>;
  clock: Clock;
  /** Called with the uses that could not be written and were dropped. */
  onFailure: (error: unknown) => void;
}

/**
 * Records when, and with which library, service accounts and API keys are used. Uses are counted in memory and written
 * periodically, so that a request costs no write of its own; killing the process loses what is not written.
 */
export class CredentialUse {
  readonly #options: CredentialUseOptions;
  readonly #workspaces = new Map<string, WorkspaceUse>();

  constructor(options: CredentialUseOptions) {
    this.#options = options;
  }

  countRequest({ workspaceId, accountId }: Pick<ServiceAccount, 'workspaceId' | 'accountId'>): void {
    this.#of(workspaceId).accounts.set(accountId, this.#options.clock());
  }

  countKeyRequest({ workspaceId, keyId }: Pick<ApiKey, 'workspaceId' | 'keyId'>): void {
    addKeyUse(this.#of(workspaceId), keyId, { lastUsedAt: this.#options.clock(), day: '', batches: 0, libraries: [] });
  }

  /** Counts a batch that got a receipt. */
  countBatch({ workspaceId, keyId }: Pick<ApiKey, 'workspaceId' | 'keyId'>, library: Library): void {
    const lastUsedAt = this.#options.clock();
    addKeyUse(this.#of(workspaceId), keyId, {
      lastUsedAt,
      day: toDay(lastUsedAt),
      batches: 1,
      libraries: [{ ...makeWellFormed(library), lastUsedAt }],
    });
  }

  /** Writes the uses of a workspace. If that fails, they are kept for the next time. */
  async write(workspaceId: string): Promise<void> {
    const use = this.#workspaces.get(workspaceId);
    if (use === undefined) return;
    this.#workspaces.delete(workspaceId);
    const { storage, clock, onFailure } = this.#options;
    for (const portion of splitPortions(use)) {
      try {
        await storage.write((tx) => writeUse(tx, workspaceId, portion, clock()));
      } catch (error) {
        if (isUnavailable(error)) this.#keep(workspaceId, portion);
        else if (!(error instanceof WorkspaceGone)) onFailure(error);
      }
    }
  }

  /** Writes all uses, one workspace after the other. */
  async writeAll(): Promise<void> {
    // Uses that can't be written now are added again for the next time.
    const known = [...this.#workspaces.keys()];
    for (const workspaceId of known) await this.write(workspaceId);
  }

  #of(workspaceId: string): WorkspaceUse {
    const known = this.#workspaces.get(workspaceId) ?? { accounts: new Map(), keys: new Map() };
    this.#workspaces.set(workspaceId, known);
    return known;
  }

  #keep(workspaceId: string, { accounts, keys }: WorkspaceUse): void {
    const use = this.#of(workspaceId);
    for (const [accountId, at] of accounts) use.accounts.set(accountId, Math.max(at, use.accounts.get(accountId) ?? 0));
    for (const [keyId, keyUse] of keys) addKeyUse(use, keyId, keyUse);
  }
}

/** Writes the counts periodically, and at the end. */
export function writeCredentialUse(app: FastifyInstance, use: CredentialUse): void {
  const timer = setInterval(() => void use.writeAll(), WRITE_EVERY_MS);
  timer.unref();
  app.addHook('onClose', () => {
    clearInterval(timer);
    return use.writeAll();
  });
}

function addKeyUse({ keys }: WorkspaceUse, keyId: string, use: KeyUse): void {
  const known = keys.get(keyId);
  keys.set(keyId, known === undefined ? use : mergeKeyUse(known, use));
}

/** PostgreSQL can't store half of a surrogate pair. */
function makeWellFormed({ name, version, platform }: Library): Library {
  return { name: name.toWellFormed(), version: version.toWellFormed(), platform: platform.toWellFormed() };
}

function* splitPortions({ accounts, keys }: WorkspaceUse): Iterable<WorkspaceUse> {
  for (const some of inPortions(accounts)) yield { accounts: some, keys: new Map() };
  for (const some of inPortions(keys)) yield { accounts: new Map(), keys: some };
}

/** Sorted by id, so that two servers that write at once can't deadlock. */
function* inPortions<Use>(uses: ReadonlyMap<string, Use>): Iterable<Map<string, Use>> {
  const sorted = [...uses].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (let start = 0; start < sorted.length; start += MOST_CREDENTIALS) {
    yield new Map(sorted.slice(start, start + MOST_CREDENTIALS));
  }
}

async function writeUse(
  tx: Transaction<Tables>,
  workspaceId: string,
  { accounts, keys }: WorkspaceUse,
  now: number,
): Promise<void> {
  await requireLiveWorkspace(tx, workspaceId);
  for (const [accountId, at] of accounts) {
    await tx
      .updateTable('service_accounts')
      .set({ last_used_at: Math.min(at, now) })
      .where('workspace_id', '=', workspaceId)
      .where('account_id', '=', accountId)
      .where(({ or, eb }) =>
        or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at), eb('last_used_at', '>', now + AHEAD_MS)]),
      )
      .execute();
  }
  for (const [keyId, use] of keys) await writeKeyUse(tx, workspaceId, keyId, takeBack(use, now), now);
}

/** A key deleted in the meantime stays deleted. */
async function writeKeyUse(
  tx: Transaction<Tables>,
  workspaceId: string,
  keyId: string,
  use: KeyUse,
  now: number,
): Promise<void> {
  const stored = tx
    .selectFrom('api_keys')
    .select(['last_used_at', 'batch_day', 'batches', 'libraries'])
    .where('workspace_id', '=', workspaceId)
    .where('key_id', '=', keyId);
  const row = await (isPostgres(tx) ? stored.forUpdate() : stored).executeTakeFirst();
  if (row === undefined) return;
  const before = storedKeyUse(row);
  await tx
    .updateTable('api_keys')
    .set(keyUseColumns(before === undefined ? use : mergeKeyUse(takeBack(before, now), use)))
    .where('workspace_id', '=', workspaceId)
    .where('key_id', '=', keyId)
    .execute();
}
