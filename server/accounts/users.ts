import { type Kysely, type Selectable, sql } from 'kysely';
import { lockLiveWorkspace } from '../storage/live-workspace.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import type { Clock } from '../clock.ts';
import type { ActingAccount } from './acting-account.ts';
import { requireStillAdmin } from './acting-admin.ts';
import { type Administered, type AdministrativeAct, appendAuditLine } from './audit.ts';
import { emailKey } from './email.ts';
import type { Role, Session } from './principals.ts';
import { parseRole, type Sessions } from './sessions.ts';
import type { IssuedLink, SignInLinks } from './sign-in-links.ts';
import type { UserRow } from './tables.ts';
import { MOST_USERS } from './user-limit.ts';

/** A member of a workspace. */
export interface User {
  workspaceId: string;
  userId: string;
  email: string;
  role: Role;
  /** Milliseconds since 1970, UTC. */
  createdAt: number;
  /** null: never. */
  lastSignInAt: number | null;
}

/** Why a person can't be added. */
export type NotAdded = 'known' | 'full';

/** The action on a person, and the admin who acts; undefined: the command line. */
export interface UserChange {
  workspaceId: string;
  userId: string;
  by: Session | undefined;
}

interface UserDependencies {
  storage: Storage;
  clock: Clock;
  newId: () => string;
  sessions: Sessions;
  links: SignInLinks;
}

/**
 * The people of all workspaces. Every change is recorded in the audit log. A change by somebody who is no admin any more is refused
 * (HttpError).
 */
export class Users {
  readonly #dependencies: UserDependencies;

  constructor(dependencies: UserDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the people, oldest first. @param after the id of the last one of the previous page */
  async page(workspaceId: string, after: string | undefined, most: number): Promise<User[]> {
    const { db } = this.#dependencies.storage;
    const users = db.selectFrom('users').selectAll().where('workspace_id', '=', workspaceId);
    // Ids are in time order.
    const rest = after === undefined ? users : users.where('user_id', '>', after);
    return (await rest.orderBy('user_id').limit(most).execute()).map(userFrom);
  }

  async findByEmail(workspaceId: string, email: string): Promise<User | undefined> {
    const row = await this.#dependencies.storage.db
      .selectFrom('users')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('email_key', '=', emailKey(email))
      .executeTakeFirst();
    return row && userFrom(row);
  }

  /** Adds a person, with a link for their first sign-in. */
  invite({
    workspaceId,
    by,
    ...wanted
  }: Pick<User, 'workspaceId' | 'email' | 'role'> & Pick<UserChange, 'by'>): Promise<
    { user: User; link: IssuedLink } | NotAdded
  > {
    return this.#change({ workspaceId, by }, async (tx, actor) => {
      const user = await this.add(tx, workspaceId, wanted);
      if (typeof user === 'string') return user;
      await this.#log(tx, { workspaceId, by: actor }, 'userInvited', `${user.email} as ${user.role}`);
      return { user, link: await this.#dependencies.links.issue(tx, workspaceId, { userId: user.userId }) };
    });
  }

  /** Adds a person, in a transaction that has locked the workspace. */
  async add(
    tx: Kysely<Tables>,
    workspaceId: string,
    { email, role }: Pick<User, 'email' | 'role'>,
  ): Promise<User | NotAdded> {
    const { newId, clock } = this.#dependencies;
    const { count } = await tx
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    if (count >= MOST_USERS) return 'full';
    const row = {
      workspace_id: workspaceId,
      user_id: newId(),
      email,
      email_key: emailKey(email),
      role,
      password_hash: null,
      oidc_issuer: null,
      oidc_subject: null,
      created_at: clock(),
      last_sign_in_at: null,
    };
    const added = tx
      .insertInto('users')
      .values(row)
      .onConflict((conflict) => conflict.doNothing());
    const { numInsertedOrUpdatedRows } = await added.executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n ? userFrom(row) : 'known';
  }

  changeRole({ workspaceId, userId, by }: UserChange, role: Role): Promise<User | 'notFound' | 'lastAdmin'> {
    return this.#change({ workspaceId, by }, async (tx, actor) => {
      const user = await find(tx, workspaceId, userId);
      if (user === undefined) return 'notFound';
      if (user.role === role) return user;
      if (await isLastAdmin(tx, user)) return 'lastAdmin';
      await tx
        .updateTable('users')
        .set({ role })
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .execute();
      await this.#log(tx, { workspaceId, by: actor }, 'roleChanged', `${user.email} from ${user.role} to ${role}`);
      return { ...user, role };
    });
  }

  /** Creates a link for a person; their earlier links stop working. */
  createLink({ workspaceId, userId, by }: UserChange): Promise<IssuedLink | 'notFound'> {
    return this.#change({ workspaceId, by }, async (tx, actor) => {
      const user = await find(tx, workspaceId, userId);
      if (user === undefined) return 'notFound';
      await this.#log(tx, { workspaceId, by: actor }, 'signInLinkCreated', user.email);
      return this.#dependencies.links.issue(tx, workspaceId, { userId });
    });
  }

  /** Creates a link that is not tied to a person. */
  createOpenLink(workspaceId: string, role: Role): Promise<IssuedLink> {
    return this.#change({ workspaceId, by: undefined }, async (tx, actor) => {
      await this.#log(tx, { workspaceId, by: actor }, 'signInLinkCreated', `whoever uses it, as ${role}`);
      return this.#dependencies.links.issue(tx, workspaceId, { role });
    });
  }

  /** Removes a person with their sessions and links. */
  remove({ workspaceId, userId, by }: UserChange): Promise<'removed' | 'notFound' | 'lastAdmin'> {
    const { sessions, links } = this.#dependencies;
    return this.#change({ workspaceId, by }, async (tx, actor) => {
      const user = await find(tx, workspaceId, userId);
      if (user === undefined) return 'notFound';
      if (await isLastAdmin(tx, user)) return 'lastAdmin';
      await tx.deleteFrom('users').where('workspace_id', '=', workspaceId).where('user_id', '=', userId).execute();
      await sessions.endAll(tx, workspaceId, userId);
      await links.voidAll(tx, workspaceId, userId);
      await this.#log(tx, { workspaceId, by: actor }, 'userRemoved', user.email);
      return 'removed';
    });
  }

  #change<Result>(
    { workspaceId, by }: Pick<UserChange, 'workspaceId' | 'by'>,
    work: (tx: Kysely<Tables>, actor: ActingAccount | undefined) => Promise<Result>,
  ): Promise<Result> {
    return this.#dependencies.storage.write(async (tx) => {
      await lockLiveWorkspace(tx, workspaceId);
      return work(tx, await requireStillAdmin(tx, by));
    });
  }

  #log(
    tx: Kysely<Tables>,
    { workspaceId, by }: Pick<Administered, 'workspaceId' | 'by'>,
    act: AdministrativeAct,
    subject: string,
  ): Promise<void> {
    return appendAuditLine(tx, { workspaceId, by, at: this.#dependencies.clock(), act, subject });
  }
}

export function userFrom(row: Selectable<UserRow>): User {
  return {
    workspaceId: row.workspace_id,
    userId: row.user_id,
    email: row.email,
    role: parseRole(row.role),
    createdAt: row.created_at,
    lastSignInAt: row.last_sign_in_at,
  };
}

async function find(tx: Kysely<Tables>, workspaceId: string, userId: string): Promise<User | undefined> {
  const row = await tx
    .selectFrom('users')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && userFrom(row);
}

/** Whether this member is the workspace's only admin. Ordered, so that no engine prefers a full table scan to the index. */
async function isLastAdmin(tx: Kysely<Tables>, { workspaceId, userId, role }: User): Promise<boolean> {
  if (role !== 'admin') return false;
  const other = await tx
    .selectFrom('users')
    .select(sql.lit(1).as('found'))
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'admin')
    .where('user_id', '!=', userId)
    .orderBy('user_id')
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}
