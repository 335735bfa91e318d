import { type Kysely, type Selectable, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Tables } from '../storage/tables.ts';
import { type CheckedUnder, requirePresentHashKey, requireSameHashKey } from './present-hash-key.ts';
import type { Role } from './principals.ts';
import { generateSecret, type SecretHasher } from './secrets.ts';
import { parseRole } from './sessions.ts';
import type { SignInLinkRow, UserRow } from './tables.ts';

/** The lifetime of a link. */
const LIVES_MS = 30 * 60_000;

/** The person that a link lets in: a member of the workspace, or a new person with `role`. */
export type LinkHolder = { userId: string; role?: undefined } | { userId?: undefined; role: Role };

/** A new link. Its token is not stored in plain text. */
export interface IssuedLink {
  token: string;
  /** Milliseconds since 1970, UTC. */
  expiresAt: number;
}

/** The member of the workspace whose link it is. */
export interface LinkedPerson {
  userId: string;
  email: string;
  /** Whether they have a password or sign in at the OIDC provider. */
  hasJoined: boolean;
}

/** A valid link. */
export type SignInLink = { expiresAt: number } & (
  { person: LinkedPerson; role?: undefined } | { person?: undefined; role: Role }
);

/** The sign-in links of all workspaces: each works once, for 30 minutes. */
export class SignInLinks {
  readonly #hasher: SecretHasher;
  readonly #clock: Clock;

  constructor({ hasher, clock }: { hasher: SecretHasher; clock: Clock }) {
    this.#hasher = hasher;
    this.#clock = clock;
  }

  /**
   * Creates a link, in a transaction that has locked the workspace. Earlier links for the same person stop working.
   *
   * @throws OtherHashKey
   */
  async issue(tx: Kysely<Tables>, workspaceId: string, holder: LinkHolder): Promise<IssuedLink> {
    await requirePresentHashKey(tx, workspaceId, this.#hasher);
    if (holder.userId !== undefined) await this.voidAll(tx, workspaceId, holder.userId);
    const token = generateSecret();
    const expiresAt = this.#clock() + LIVES_MS;
    await tx
      .insertInto('sign_in_links')
      .values({
        workspace_id: workspaceId,
        token_hash: this.#hasher.hash(token),
        user_id: holder.userId ?? null,
        role: holder.role ?? null,
        expires_at: expiresAt,
      })
      .execute();
    return { token, expiresAt };
  }

  /**
   * Returns the link with this token, if it is valid.
   *
   * @throws OtherHashKey
   */
  async find(db: Kysely<Tables>, workspaceId: string, token: string): Promise<SignInLink | undefined> {
    const { rows } = await sql<FoundLink>`
      select workspace.hash_key_id, link.user_id, link.role, link.expires_at, person.email, person.password_hash, person.oidc_subject
      from workspaces as workspace
      left join sign_in_links as link on link.workspace_id = ${workspaceId} and link.token_hash = ${this.#hasher.hash(token)}
      left join users as person on person.workspace_id = ${workspaceId} and person.user_id = link.user_id
      where workspace.workspace_id = ${workspaceId} and workspace.deleted_at is null
    `.execute(db);
    const [row] = rows;
    // By the hash, a link under another key is not found.
    requireSameHashKey(workspaceId, row?.hash_key_id ?? null, this.#hasher);
    if (row === undefined || row.expires_at === null || row.expires_at <= this.#clock()) return undefined;
    const { user_id: userId, role, email, expires_at: expiresAt } = row;
    if (role !== null) return { expiresAt, role: parseRole(role) };
    if (userId === null || email === null) return undefined;
    return { expiresAt, person: { userId, email, hasJoined: row.password_hash !== null || row.oidc_subject !== null } };
  }

  /** The expiry of people's links: milliseconds since 1970 by the person's id, for those who have one. */
  async endsFor(db: Kysely<Tables>, workspaceId: string, userIds: readonly string[]): Promise<Map<string, number>> {
    if (userIds.length === 0) return new Map();
    const links = await db
      .selectFrom('sign_in_links')
      .select(['user_id', 'expires_at'])
      .where('workspace_id', '=', workspaceId)
      .where('user_id', 'in', userIds)
      .where('expires_at', '>', this.#clock())
      .execute();
    return new Map(links.flatMap(({ user_id, expires_at }) => (user_id === null ? [] : [[user_id, expires_at]])));
  }

  /** Uses the link up. */
  async spend(tx: Kysely<Tables>, workspaceId: string, token: string): Promise<void> {
    await tx
      .deleteFrom('sign_in_links')
      .where('workspace_id', '=', workspaceId)
      .where('token_hash', '=', this.#hasher.hash(token))
      .execute();
  }

  async voidAll(tx: Kysely<Tables>, workspaceId: string, userId: string): Promise<void> {
    await tx
      .deleteFrom('sign_in_links')
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .execute();
  }
}

/** What signing in with a link requires besides its token. */
export function asksFor({ person }: SignInLink): ('email' | 'password')[] {
  if (person === undefined) return ['email', 'password'];
  return person.hasJoined ? [] : ['password'];
}

/** The link's columns are null if there is none, the person's if it is not tied to one. */
type FoundLink = CheckedUnder & {
  [Column in 'user_id' | 'role' | 'expires_at']: Selectable<SignInLinkRow>[Column] | null;
} & {
  [Column in 'email' | 'password_hash' | 'oidc_subject']: Selectable<UserRow>[Column] | null;
};
