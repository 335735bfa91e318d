import type { Kysely, Selectable } from 'kysely';
import type { components } from '../generated/types.ts';
import type { Tables } from '../storage/tables.ts';
import type { ActingAccount } from './acting-account.ts';
import { nextLineIds } from './audit-line-ids.ts';
import type { AuditLineRow } from './tables.ts';

export type AdministrativeAct = components['schemas']['AdministrativeAct'];

/** An administrative action, its actor and time. Contains no secret. */
export interface Administered {
  workspaceId: string;
  /** undefined: the command line. */
  by: ActingAccount | undefined;
  /** Milliseconds since 1970, UTC. */
  at: number;
  act: AdministrativeAct;
  /** The person or thing affected, in words that stay true after it is gone. */
  subject: string;
}

/** Appends one or more lines to a workspace's audit log, in the transaction of the actions themselves. */
export async function appendAuditLines(tx: Kysely<Tables>, lines: readonly Administered[]): Promise<void> {
  const [first] = lines;
  if (first === undefined) return;
  const [before] = await readAuditLines(tx, first.workspaceId, undefined, 1);
  const ids = nextLineIds(before?.line_id, first.at, lines.length);
  await tx
    .insertInto('audit_lines')
    .values(
      lines.map(({ workspaceId, by, at, act, subject }, index) => ({
        workspace_id: workspaceId,
        line_id: ids[index] ?? '',
        happened_at: at,
        actor_id: by?.id ?? null,
        actor_email: by?.email ?? null,
        act,
        subject,
      })),
    )
    .execute();
}

export function appendAuditLine(tx: Kysely<Tables>, line: Administered): Promise<void> {
  return appendAuditLines(tx, [line]);
}

/** Returns the log of a workspace, newest first. @param after the id of the last line of the previous page */
export function readAuditLines(
  db: Kysely<Tables>,
  workspaceId: string,
  after: string | undefined,
  most: number,
): Promise<Selectable<AuditLineRow>[]> {
  const lines = db.selectFrom('audit_lines').selectAll().where('workspace_id', '=', workspaceId);
  const rest = after === undefined ? lines : lines.where('line_id', '<', after);
  return rest.orderBy('line_id', 'desc').limit(most).execute();
}
