import { type Kysely, type Selectable, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { requireLiveWorkspace } from '../storage/live-workspace.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { requirePresentHashKey } from './present-hash-key.ts';
import { type Role, ROLES, type Session } from './principals.ts';
import { generateSecret, type SecretHasher } from './secrets.ts';
import type { SessionRow, UserRow } from './tables.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The maximum lifetime of a session after signing in. */
const LONGEST_MS = 30 * DAY_MS;

/** A session ends after this time without use. */
export const LONGEST_IDLE_MS = 7 * DAY_MS;

/** The maximum number of sessions of a person. */
const MOST_SESSIONS = 100;

export interface SessionDependencies {
  storage: Storage;
  hasher: SecretHasher;
  clock: Clock;
}

/** The sessions of the people of all workspaces. Nothing is cached, so an ended session stops working with the next request. */
export class Sessions {
  readonly #dependencies: SessionDependencies;

  constructor(dependencies: SessionDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Starts a session, in a transaction that keeps or has locked the workspace. Ends the person's oldest one if there are too
   * many.
   *
   * @returns the token, which is not stored in plain text, and when the session ends at the latest
   * @throws OtherHashKey
   */
  async begin(tx: Kysely<Tables>, workspaceId: string, userId: string): Promise<{ token: string; expiresAt: number }> {
    const { hasher, clock } = this.#dependencies;
    await requirePresentHashKey(tx, workspaceId, hasher);
    const token = generateSecret();
    const now = clock();
    const expiresAt = now + LONGEST_MS;
    await this.#endOldest(tx, workspaceId, userId);
    await tx
      .insertInto('sessions')
      .values({
        workspace_id: workspaceId,
        session_hash: hasher.hash(token),
        user_id: userId,
        created_at: now,
        last_used_at: now,
        expires_at: expiresAt,
      })
      .execute();
    return { token, expiresAt };
  }

  /** Returns a session's key: the hash of its token. */
  hash(token: string): string {
    return this.#dependencies.hasher.hash(token);
  }

  /** Returns the live session of this workspace, with its person's current data; or undefined. */
  async find(workspaceId: string, sessionHash: string): Promise<Session | undefined> {
    const { storage, clock } = this.#dependencies;
    const now = clock();
    const { rows } = await sql<Found>`
      select person.user_id, person.email, person.role, session.last_used_at, session.expires_at
      from sessions as session
      join users as person on person.workspace_id = ${workspaceId} and person.user_id = session.user_id
      join workspaces as workspace on workspace.workspace_id = ${workspaceId} and workspace.deleted_at is null
      where session.workspace_id = ${workspaceId} and session.session_hash = ${sessionHash}
    `.execute(storage.db);
    const [row] = rows;
    if (row === undefined || row.expires_at <= now || row.last_used_at + LONGEST_IDLE_MS <= now) return undefined;
    if (row.last_used_at + HOUR_MS <= now) await this.#keep(workspaceId, sessionHash, now);
    return {
      workspaceId,
      userId: row.user_id,
      email: row.email,
      role: parseRole(row.role),
      sessionHash,
      expiresAt: row.expires_at,
    };
  }

  /** Ends sessions of a workspace in a transaction of their own. @throws WorkspaceGone */
  async endNow(workspaceId: string, sessionHashes: readonly string[]): Promise<void> {
    await this.#dependencies.storage.write(async (tx) => {
      await requireLiveWorkspace(tx, workspaceId);
      for (const sessionHash of sessionHashes) await this.end(tx, { workspaceId, sessionHash });
    });
  }

  async end(tx: Kysely<Tables>, { workspaceId, sessionHash }: Pick<Session, 'workspaceId' | 'sessionHash'>) {
    await tx
      .deleteFrom('sessions')
      .where('workspace_id', '=', workspaceId)
      .where('session_hash', '=', sessionHash)
      .execute();
  }

  /** Ends all sessions of a person. */
  async endAll(tx: Kysely<Tables>, workspaceId: string, userId: string): Promise<void> {
    await tx.deleteFrom('sessions').where('workspace_id', '=', workspaceId).where('user_id', '=', userId).execute();
  }

  async #endOldest(tx: Kysely<Tables>, workspaceId: string, userId: string): Promise<void> {
    const kept = tx
      .selectFrom('sessions')
      .select('session_hash')
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .orderBy('session_hash')
      .limit(MOST_SESSIONS - 1);
    await tx
      .deleteFrom('sessions')
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .where('session_hash', 'not in', kept)
      .execute();
  }

  async #keep(workspaceId: string, sessionHash: string, now: number): Promise<void> {
    await this.#dependencies.storage.write((tx) =>
      tx
        .updateTable('sessions')
        .set({ last_used_at: now })
        .where('workspace_id', '=', workspaceId)
        .where('session_hash', '=', sessionHash)
        .execute(),
    );
  }
}

type Found = Pick<Selectable<UserRow>, 'user_id' | 'email' | 'role'> &
  Pick<Selectable<SessionRow>, 'last_used_at' | 'expires_at'>;

/** Falls back to the lowest role if a newer version has stored an unknown one. */
export function parseRole(text: string): Role {
  return ROLES.find((role) => role === text) ?? 'viewer';
}
