import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { SIGNING_IN, workFor } from '../storage/holder.ts';
import { keepLiveWorkspace, lockLiveWorkspace } from '../storage/live-workspace.ts';
import { WorkspaceGone } from '../storage/workspace-gone.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tables } from '../storage/tables.ts';
import { appendAuditLine } from './audit.ts';
import { emailKey } from './email.ts';
import type { Guessing } from './guessing.ts';
import type { BoundUsers, NotAdmitted } from './oidc/bound-users.ts';
import { isFinished, markFinished } from './oidc/finished-sign-ins.ts';
import { type Identity, refuseEmail } from './oidc/identity.ts';
import type { Passwords } from './passwords.ts';
import type { Session } from './principals.ts';
import type { Sessions } from './sessions.ts';
import { asksFor, type SignInLink, type SignInLinks } from './sign-in-links.ts';
import { type NotAdded, type User, userFrom, type Users } from './users.ts';

/** Where somebody signs in, and from where. */
export interface Entrance {
  workspaceId: string;
  /** The network that they come from. */
  client: string;
  /** Hashes of the sessions that their browser has in this workspace: the new one takes their place. */
  replaces: readonly string[];
}

/** A session that has begun, and its token, which is kept nowhere in clear. */
export interface SignedIn {
  session: Session;
  token: string;
}

/** What somebody gives beside a link's token: an e-mail where it is for nobody in particular, a password to choose. */
export interface Given {
  email?: string | undefined;
  password?: string | undefined;
}

/** Why a link lets nobody in: it works no more, nobody can be added with that e-mail, or something is not given. */
export type LinkRefusal = 'gone' | NotAdded | { lacks: (keyof Given)[] };

interface SignInDependencies {
  storage: Storage;
  clock: Clock;
  sessions: Sessions;
  links: SignInLinks;
  users: Users;
  passwords: Passwords;
  guessing: Guessing;
  boundUsers: BoundUsers;
}

/** Lets people in: with a password, with a link, or as whom the OIDC provider knows them. */
export class SignIn {
  readonly #dependencies: SignInDependencies;

  constructor(dependencies: SignInDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * An unknown workspace or e-mail is answered as a wrong password is, and as late.
   *
   * @returns undefined for anything but the person's password
   * @throws HttpError 429 after too many tries
   */
  async withPassword(entrance: Entrance, email: string, password: string): Promise<SignedIn | undefined> {
    const { guessing, passwords } = this.#dependencies;
    const { workspaceId, client } = entrance;
    const person = await workFor(SIGNING_IN, async () => {
      await guessing.slowClient(client);
      const found = await this.#findByEmail(workspaceId, email);
      await guessing.slowEmail(workspaceId, found.workspaceExists, email);
      return found;
    });
    const { userId, passwordHash } = person;
    if (!(await passwords.matches(password, passwordHash, client)) || userId === null) return undefined;
    return this.#write(workspaceId, undefined, async (tx) => {
      await keepLiveWorkspace(tx, workspaceId);
      const user = await this.#markSignedIn(tx, workspaceId, userId, passwordHash);
      return user && this.#begin(tx, user, entrance.replaces);
    });
  }

  /**
   * The link with this token, if it works. It stays unused. Nobody guesses 256 random bits, so nothing is counted that could keep
   * out who has the right ones: what trying costs is bounded by the turns of strangers.
   */
  findLink(workspaceId: string, token: string): Promise<SignInLink | undefined> {
    const { links, storage } = this.#dependencies;
    return workFor(SIGNING_IN, () => links.find(storage.db, workspaceId, token));
  }

  /** Uses a link. Of several who try at once, one gets in. */
  async withLink(entrance: Entrance, token: string, given: Given): Promise<SignedIn | LinkRefusal> {
    const { workspaceId, client } = entrance;
    const link = await this.findLink(workspaceId, token);
    if (link === undefined) return 'gone';
    const lacks = asksFor(link).filter((name) => given[name] === undefined);
    if (lacks.length > 0) return { lacks };
    const passwordHash =
      given.password === undefined ? undefined : await this.#dependencies.passwords.hash(given.password, client);
    return this.#write(workspaceId, 'gone', async (tx) => {
      await lockLiveWorkspace(tx, workspaceId);
      return this.#spend(tx, entrance, token, { email: given.email, passwordHash });
    });
  }

  /**
   * An unknown workspace is answered as one to which nobody with the e-mail was invited.
   *
   * @param state of the sign-in, which lets somebody in once: some providers accept a code twice
   */
  async withIdentity(
    { workspaceId, replaces }: Entrance,
    identity: Identity,
    state: string,
  ): Promise<SignedIn | NotAdmitted | 'over'> {
    const { boundUsers, storage } = this.#dependencies;
    // Anybody may have an identity of the provider: who has no business here does not lock the workspace.
    const refused = await workFor(SIGNING_IN, () => boundUsers.refuse(storage.db, workspaceId, identity));
    if (refused !== undefined) return refused;
    const unknown = identity.verifiedEmail === undefined ? refuseEmail(identity) : 'notInvited';
    return this.#write(workspaceId, unknown, async (tx) => {
      await lockLiveWorkspace(tx, workspaceId);
      if (await isFinished(tx, workspaceId, state)) return 'over';
      const admitted = await boundUsers.admit(tx, workspaceId, identity);
      if (typeof admitted === 'string') return admitted;
      const user = await this.#markSignedIn(tx, workspaceId, admitted.userId);
      if (user === undefined) return 'notInvited';
      await markFinished(tx, workspaceId, state, this.#dependencies.clock());
      return this.#begin(tx, user, replaces);
    });
  }

  /** Whether the link still works can't change as long as the workspace is locked. */
  async #spend(
    tx: Kysely<Tables>,
    { workspaceId, replaces }: Entrance,
    token: string,
    { email, passwordHash }: { email: string | undefined; passwordHash: string | undefined },
  ): Promise<SignedIn | LinkRefusal> {
    const { links, users } = this.#dependencies;
    const link = await links.find(tx, workspaceId, token);
    if (link === undefined) return 'gone';
    const { person, role } = link;
    const who = person ?? (email === undefined ? undefined : await users.add(tx, workspaceId, { email, role }));
    if (who === undefined) return 'gone';
    if (typeof who === 'string') return who;
    await links.spend(tx, workspaceId, token);
    if (passwordHash !== undefined) await this.#setPassword(tx, workspaceId, who.userId, passwordHash);
    const user = await this.#markSignedIn(tx, workspaceId, who.userId);
    if (user === undefined) return 'gone';
    if (passwordHash !== undefined) await this.#logPassword(tx, user, person?.hasJoined === true);
    return this.#begin(tx, user, replaces);
  }

  /** One row comes back in any case, from the same look-ups: how long they take must not tell who exists. */
  async #findByEmail(workspaceId: string, email: string) {
    const { rows } = await sql<{ workspace_id: string | null; user_id: string | null; password_hash: string | null }>`
      select workspace.workspace_id, person.user_id, person.password_hash
      from (select 1 as row) as asked
      left join workspaces as workspace on workspace.workspace_id = ${workspaceId} and workspace.deleted_at is null
      left join users as person on person.workspace_id = ${workspaceId} and person.email_key = ${emailKey(email)}
    `.execute(this.#dependencies.storage.db);
    const [row] = rows;
    return {
      workspaceExists: row?.workspace_id != null,
      userId: row?.user_id ?? null,
      passwordHash: row?.password_hash ?? null,
    };
  }

  /** @returns undefined when they belong to the workspace no more, or `passwordHash` is not that of their password any more */
  async #markSignedIn(tx: Kysely<Tables>, workspaceId: string, userId: string, passwordHash?: string | null) {
    const marked = tx
      .updateTable('users')
      .set({ last_sign_in_at: this.#dependencies.clock() })
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .returningAll();
    const stillSo = passwordHash === undefined ? marked : marked.where('password_hash', '=', passwordHash);
    const row = await stillSo.executeTakeFirst();
    return row && userFrom(row);
  }

  /** Whoever else had the old password is signed out. */
  async #setPassword(tx: Kysely<Tables>, workspaceId: string, userId: string, passwordHash: string): Promise<void> {
    await tx
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .execute();
    await this.#dependencies.sessions.endAll(tx, workspaceId, userId);
  }

  #logPassword(tx: Kysely<Tables>, user: User, hadJoined: boolean): Promise<void> {
    const { workspaceId, userId: id, email, role } = user;
    const by = { workspaceId, id, email };
    const at = this.#dependencies.clock();
    return appendAuditLine(
      tx,
      hadJoined
        ? { workspaceId, by, at, act: 'passwordChanged', subject: email }
        : { workspaceId, by, at, act: 'userJoined', subject: `${email} as ${role}` },
    );
  }

  async #begin(tx: Kysely<Tables>, user: User, replaces: readonly string[]): Promise<SignedIn> {
    const { sessions } = this.#dependencies;
    const { workspaceId, userId, email, role } = user;
    for (const sessionHash of replaces) await sessions.end(tx, { workspaceId, sessionHash });
    const { token, expiresAt } = await sessions.begin(tx, workspaceId, userId);
    return { token, session: { workspaceId, userId, email, role, sessionHash: sessions.hash(token), expiresAt } };
  }

  /** Writes in the name of the workspace; what was deleted meanwhile is as unknown as what never was. */
  async #write<Result, Unknown>(
    workspaceId: string,
    unknown: Unknown,
    work: (tx: Kysely<Tables>) => Promise<Result>,
  ): Promise<Result | Unknown> {
    try {
      return await workFor(workspaceId, () => this.#dependencies.storage.write(work));
    } catch (error) {
      if (error instanceof WorkspaceGone) return unknown;
      throw error;
    }
  }
}
