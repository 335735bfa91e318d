import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { type ActingAccount, resolveActingAccount } from './acting-account.ts';
import type { Session } from './principals.ts';
import { requireRole, unauthorized } from './refusals.ts';
import { parseRole } from './sessions.ts';

/**
 * Makes sure that an admin who acts is still signed in and still an admin, in the transaction of the act, which keeps or has locked the
 * workspace: so a removal, a sign-out or another role is final, whatever was under way.
 *
 * @param by undefined: the command line
 * @returns whom the audit log names
 * @throws HttpError 401 or 403, as without the session or the role
 */
export async function requireStillAdmin(
  tx: Kysely<Tables>,
  by: Session | undefined,
): Promise<ActingAccount | undefined> {
  if (by === undefined) return undefined;
  const { workspaceId, sessionHash } = by;
  const found = await tx
    .selectFrom('sessions as session')
    .innerJoin('users as person', (join) =>
      join.on('person.workspace_id', '=', workspaceId).onRef('person.user_id', '=', 'session.user_id'),
    )
    .select('person.role')
    .where('session.workspace_id', '=', workspaceId)
    .where('session.session_hash', '=', sessionHash)
    .executeTakeFirst();
  if (found === undefined) throw unauthorized('session');
  requireRole(parseRole(found.role), 'admin');
  return resolveActingAccount({ session: by });
}
