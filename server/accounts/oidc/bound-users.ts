import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Tables } from '../../storage/tables.ts';
import { appendAuditLine } from '../audit.ts';
import { emailKey } from '../email.ts';
import type { Sessions } from '../sessions.ts';
import type { SignInLinks } from '../sign-in-links.ts';
import type { UserRow } from '../tables.ts';
import { type EmailRefusal, type Identity, refuseEmail } from './identity.ts';

/**
 * Why an identity opens no account of a workspace: its e-mail is not verified or none that an account can have, nobody there has
 * it, or its owner is bound to another identity of the same issuer.
 */
export type NotAdmitted = EmailRefusal | 'notInvited' | 'boundToAnother';

export interface BoundUserDependencies {
  sessions: Sessions;
  links: SignInLinks;
  clock: Clock;
}

/** The user for an identity, with all that is stored of them where the identity is not theirs yet. */
interface Known {
  userId: string;
  unbound: Selectable<UserRow> | undefined;
}

/** Users of all workspaces, each bound to the identity of the OIDC provider with which they first signed in. */
export class BoundUsers {
  readonly #dependencies: BoundUserDependencies;

  constructor(dependencies: BoundUserDependencies) {
    this.#dependencies = dependencies;
  }

  /** Why nobody of the workspace has the identity, as far as can be told without a lock; undefined: somebody may have it. */
  async refuse(db: Kysely<Tables>, workspaceId: string, identity: Identity): Promise<NotAdmitted | undefined> {
    const known = await this.#find(db, workspaceId, identity);
    return typeof known === 'string' ? known : undefined;
  }

  /**
   * Returns the id of the workspace's user for the identity: the bound one or, the first time, the one with
   * its e-mail, who is bound from now on. Requires a transaction that has locked the workspace.
   */
  async admit(tx: Kysely<Tables>, workspaceId: string, identity: Identity): Promise<{ userId: string } | NotAdmitted> {
    const known = await this.#find(tx, workspaceId, identity);
    if (typeof known === 'string') return known;
    if (known.unbound !== undefined) await this.#bind(tx, known.unbound, identity);
    return { userId: known.userId };
  }

  async #find(db: Kysely<Tables>, workspaceId: string, identity: Identity): Promise<Known | NotAdmitted> {
    const bound = await this.#findBound(db, workspaceId, identity);
    if (bound !== undefined) return { userId: bound.user_id, unbound: undefined };
    if (identity.verifiedEmail === undefined) return refuseEmail(identity);
    const user = await this.#findByEmail(db, workspaceId, identity.verifiedEmail);
    if (user === undefined) return 'notInvited';
    return user.oidc_issuer === identity.issuer ? 'boundToAnother' : { userId: user.user_id, unbound: user };
  }

  #findBound(db: Kysely<Tables>, workspaceId: string, { issuer, subject }: Identity) {
    const users = db.selectFrom('users').select('user_id').where('workspace_id', '=', workspaceId);
    return users.where('oidc_issuer', '=', issuer).where('oidc_subject', '=', subject).executeTakeFirst();
  }

  #findByEmail(db: Kysely<Tables>, workspaceId: string, email: string) {
    const users = db.selectFrom('users').selectAll().where('workspace_id', '=', workspaceId);
    return users.where('email_key', '=', emailKey(email)).executeTakeFirst();
  }

  /** Earlier passwords, sessions and links did not prove that the e-mail belongs to their user. */
  async #bind(tx: Kysely<Tables>, user: Selectable<UserRow>, { issuer, subject }: Identity): Promise<void> {
    const { sessions, links } = this.#dependencies;
    const { workspace_id: workspaceId, user_id: userId } = user;
    await tx
      .updateTable('users')
      .set({ oidc_issuer: issuer, oidc_subject: subject, password_hash: null })
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .execute();
    await sessions.endAll(tx, workspaceId, userId);
    await links.voidAll(tx, workspaceId, userId);
    await this.#log(tx, user, `${subject} of ${issuer}`);
  }

  async #log(tx: Kysely<Tables>, user: Selectable<UserRow>, identity: string): Promise<void> {
    const { workspace_id: workspaceId, user_id: id, email, role } = user;
    const line = { workspaceId, by: { workspaceId, id, email }, at: this.#dependencies.clock() };
    const isNew = user.password_hash === null && user.oidc_issuer === null;
    await appendAuditLine(
      tx,
      isNew
        ? { ...line, act: 'userJoined', subject: `${email} as ${role}, bound to ${identity}` }
        : { ...line, act: 'identityBound', subject: `${email} to ${identity}` },
    );
  }
}
