import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { ManyRows } from './many-rows.ts';
import type { Tables } from './tables.ts';
import { isPostgres } from './text-column.ts';
import { WorkspaceGone } from './workspace-gone.ts';

interface LiveWorkspace {
  life: string;
}

/**
 * What differs in each life of a PostgreSQL database: when its server began, when its statistics did, which is anew after a
 * crash that the server itself outlives, and where the table lies, which tells a database from its copy.
 */
const LIFE = sql<string>`concat_ws(' ', extract(epoch from pg_postmaster_start_time()),
  extract(epoch from pg_stat_get_bgwriter_stat_reset_time()), pg_relation_filepath('workspaces'))`;

/** The files of an embedded database are watched: see `Storage.lost`. */
const NO_LIFE = sql.lit('');

const lookForKeyShare = lookFor('for key share');
const lookForShare = lookFor('for share');
const lookForNoKeyUpdate = lookFor('for no key update');

/**
 * Makes sure, until the transaction ends, that rows of the workspace may be written. This, {@link keepLiveWorkspace} or
 * {@link lockLiveWorkspace} is to be called first in each transaction that adds or changes any: one look-up of one row. Which
 * one it is is decided there: a transaction that had locked other rows before it came to need more would wait for one that has
 * the workspace and waits for those rows. Where a transaction writes for several workspaces, it is called for each, in the
 * order of their ids.
 *
 * A workspace that is deleted meanwhile is emptied only after the transaction has ended. On PostgreSQL it waits for the lock of
 * the row, the weakest that there is, which no other writer waits for; on SQLite there is one writer at a time.
 *
 * @returns the life of the database, for {@link DatabaseLives.require}
 * @throws WorkspaceGone when the workspace was deleted, or there is none
 */
export function requireLiveWorkspace(tx: Kysely<Tables>, workspaceId: string): Promise<string> {
  return require(tx, workspaceId, lookForKeyShare);
}

/**
 * As {@link requireLiveWorkspace}, and nobody changes the workspace itself, such as its hash key, or has it by
 * {@link lockLiveWorkspace}. Any number of transactions may keep it at once.
 *
 * @throws WorkspaceGone when the workspace was deleted, or there is none
 */
export async function keepLiveWorkspace(tx: Kysely<Tables>, workspaceId: string): Promise<void> {
  await require(tx, workspaceId, lookForShare);
}

/**
 * As {@link requireLiveWorkspace}, and of all transactions that call this or {@link keepLiveWorkspace} for one workspace the
 * others wait until this one has ended: for what is decided by counting rows, and changes of its people, their roles or their
 * sign-in links. Nobody else waits.
 *
 * @throws WorkspaceGone when the workspace was deleted, or there is none
 */
export async function lockLiveWorkspace(tx: Kysely<Tables>, workspaceId: string): Promise<void> {
  await require(tx, workspaceId, lookForNoKeyUpdate);
}

async function require(tx: Kysely<Tables>, workspaceId: string, look: typeof lookForKeyShare): Promise<string> {
  return requireLive(workspaceId, await look.execute(tx, [{ workspace_id: workspaceId }]));
}

/**
 * The look-up of {@link requireLiveWorkspace}, to be sent together with what the transaction reads first; {@link requireLive}
 * judges what it finds.
 */
export function compileLiveLook(tx: Kysely<Tables>, workspaceId: string): CompiledQuery<LiveWorkspace>[] {
  return lookForKeyShare.compile(tx, [{ workspace_id: workspaceId }]);
}

/**
 * @returns the life of the database
 * @throws WorkspaceGone when the look-up found no row
 */
export function requireLive(workspaceId: string, [found]: readonly LiveWorkspace[]): string {
  if (found === undefined) throw new WorkspaceGone(workspaceId);
  return found.life;
}

/** Of one workspace at a time. */
function lookFor(lock: 'for key share' | 'for share' | 'for no key update') {
  return new ManyRows(['workspace_id'], (db, [workspace]: readonly { workspace_id: string }[]) => {
    const live = db
      .selectFrom('workspaces')
      .select((isPostgres(db) ? LIFE : NO_LIFE).as('life'))
      .where('workspace_id', '=', workspace?.workspace_id ?? '')
      .where('deleted_at', 'is', null);
    return isPostgres(db) ? live.modifyEnd(sql.raw(lock)) : live;
  });
}
