import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../text-column.ts';

/** How many deleted keys of a workspace a budget report could name when this migration was written. */
const KEYS_NAMED = 100;

/**
 * Drops what is left of events that were refused: app versions for comparison, numbers of sources, and what holders of a budget have
 * brought who brought nothing. App versions that are due are found workspace by workspace.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('issue_versions_by_due').execute();
  await keepAcceptedVersions(db);
  await db.schema
    .createIndex('issue_versions_by_due')
    .on('issue_versions')
    .columns(['workspace_id', 'due_at', 'source', 'environment', 'app_version'])
    .where(sql.ref('due_at'), 'is not', null)
    .execute();
  await sql`/* migration */ delete from sources where not exists (
    select 1 from app_versions as known
    where known.workspace_id = sources.workspace_id and known.source = sources.source)`.execute(db);
  await dropUsage(db);
}

/** There may be millions of refused ones: so the others are set aside, by their keys, and the table is emptied. */
async function keepAcceptedVersions(db: Kysely<unknown>): Promise<void> {
  await sql`/* migration */ create table kept_issue_versions as
    select seen.* from app_versions as known
    cross join (select 'prod' as environment union all select 'dev' union all select 'staging') as somewhere
    cross join issue_versions as seen
    where seen.workspace_id = known.workspace_id and seen.source = known.source
      and seen.environment = somewhere.environment and seen.app_version = known.app_version`.execute(db);
  const empty = isPostgres(db) ? sql`truncate` : sql`delete from`;
  await sql`/* migration */ ${empty} issue_versions`.execute(db);
  const columns = sql`workspace_id, source, environment, app_version, first_seen, due_at`;
  await sql`/* migration */ insert into issue_versions (${columns}) select ${columns} from kept_issue_versions`.execute(
    db,
  );
  await db.schema.dropTable('kept_issue_versions').execute();
}

async function dropUsage(db: Kysely<unknown>): Promise<void> {
  await sql`/* migration */ delete from inspector_usage where bytes = 0 and holder <> 'workspace'`.execute(db);
  await sql`/* migration */ delete from inspector_usage where (workspace_id, holder) in (
    select workspace_id, holder from (
      select workspace_id, holder,
        row_number() over (partition by workspace_id order by bytes desc, holder) as place
      from inspector_usage as used
      where holder like 'key:%' and not exists (
        select 1 from api_keys as present
        where present.workspace_id = used.workspace_id and present.key_id = substr(used.holder, 5))
    ) as deleted where place > ${sql.lit(KEYS_NAMED)})`.execute(db);
}
