import type { Selectable } from 'kysely';
import type { Handlers } from '../generated/handlers.ts';
import type { components } from '../generated/types.ts';
import { BAD_CURSOR } from '../http/cursor.ts';
import { readKeysetPage } from '../http/keyset-page.ts';
import type { Administration } from './administration.ts';
import { readAuditLines } from './audit.ts';
import type { Authenticated, Session } from './principals.ts';
import type { IssuedLink } from './sign-in-links.ts';
import { signInUrl } from './sign-in-url.ts';
import type { AuditLineRow } from './tables.ts';
import { MOST_USERS } from './user-limit.ts';
import type { User, UserChange } from './users.ts';

export const FULL = `This workspace has ${MOST_USERS.toLocaleString('en')} users, as many as it can have. Remove somebody first.`;

const LAST_ADMIN = 'A workspace needs an admin, and this is the last one. Make somebody else an admin first.';

type Operation = 'listUsers' | 'inviteUser' | 'changeUserRole' | 'createSignInLink' | 'removeUser' | 'listAuditLines';

export interface UserHandlerDependencies {
  administration: Administration;
  /** The origin of the web application, such as `http://localhost:3000`. Known once the server listens. */
  webOrigin: () => string;
}

/** The operations on the people of a workspace, and on the audit log. */
export function userHandlers({
  administration,
  webOrigin,
}: UserHandlerDependencies): Pick<Handlers<Authenticated>, Operation> {
  const { users, links, storage } = administration;

  const linkView = (workspaceId: string, { token, expiresAt }: IssuedLink) => ({
    signInUrl: signInUrl(webOrigin(), workspaceId, token),
    expiresDate: iso(expiresAt),
  });

  return {
    async listUsers({ query, principals }) {
      const { workspaceId } = principals.session;
      const page = await readKeysetPage(
        {
          holder: workspaceId,
          scope: ['users', workspaceId],
          shape: ['string'],
          read: (after, most) => users.page(workspaceId, after?.[0], most),
          placeOf: ({ userId }) => [userId],
        },
        query,
      );
      if (page === undefined) return { status: 400, body: { error: BAD_CURSOR } };
      const ids = page.entries.map(({ userId }) => userId);
      const linkEnds = await links.endsFor(storage.db, workspaceId, ids);
      const listed = page.entries.map((user) => {
        const end = linkEnds.get(user.userId);
        return { ...userView(user), ...(end !== undefined && { linkExpiresDate: iso(end) }) };
      });
      return { status: 200, body: { users: listed, nextCursor: page.nextCursor } };
    },

    async inviteUser({ body, principals }) {
      const { session: by } = principals;
      const { workspaceId } = by;
      const invited = await users.invite({ workspaceId, email: body.email, role: body.role, by });
      if (invited === 'full') return conflict(FULL);
      if (invited === 'known') {
        return conflict(`${body.email} belongs to this workspace already. Make a new sign-in link for them instead.`);
      }
      return { status: 201, body: { user: userView(invited.user), signInLink: linkView(workspaceId, invited.link) } };
    },

    async changeUserRole({ params, body, principals }) {
      const changed = await users.changeRole(toChange(params, principals), body.role);
      if (changed === 'notFound') return notFound(params.userId);
      return changed === 'lastAdmin' ? conflict(LAST_ADMIN) : { status: 200, body: userView(changed) };
    },

    async createSignInLink({ params, principals }) {
      const change = toChange(params, principals);
      const link = await users.createLink(change);
      return link === 'notFound' ? notFound(params.userId) : { status: 201, body: linkView(change.workspaceId, link) };
    },

    async removeUser({ params, principals }) {
      const removed = await users.remove(toChange(params, principals));
      if (removed === 'notFound') return notFound(params.userId);
      return removed === 'lastAdmin' ? conflict(LAST_ADMIN) : { status: 204 };
    },

    async listAuditLines({ query, principals }) {
      const { workspaceId } = principals.session;
      const page = await readKeysetPage(
        {
          holder: workspaceId,
          scope: ['audit', workspaceId],
          shape: ['string'],
          read: (after, most) => readAuditLines(storage.db, workspaceId, after?.[0], most),
          placeOf: (line) => [line.line_id],
        },
        query,
      );
      if (page === undefined) return { status: 400, body: { error: BAD_CURSOR } };
      return { status: 200, body: { lines: page.entries.map(lineView), nextCursor: page.nextCursor } };
    },
  };
}

function toChange({ userId }: { userId: string }, { session: by }: { session: Session }): UserChange {
  return { workspaceId: by.workspaceId, userId, by };
}

function userView({ userId, email, role, createdAt, lastSignInAt }: User): components['schemas']['User'] {
  return {
    userId,
    email,
    role,
    addedDate: iso(createdAt),
    lastSignInDate: lastSignInAt === null ? null : iso(lastSignInAt),
  };
}

function lineView(row: Selectable<AuditLineRow>): components['schemas']['AuditLine'] {
  return {
    lineId: row.line_id,
    date: iso(row.happened_at),
    actorId: row.actor_id,
    actorEmail: row.actor_email,
    act: row.act,
    subject: row.subject,
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function notFound(userId: string) {
  return { status: 404 as const, body: { error: `No user of this workspace has the id ${userId}.` } };
}

function conflict(error: string) {
  return { status: 409 as const, body: { error } };
}
