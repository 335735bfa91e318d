import { SLOT_TABLES } from '../../../server/inspector/ingest/message-slots.ts';

/** Kinds of statements that only migrations and maintenance send, and tests that break a schema. No request sends one. */
export const EXEMPT_KINDS: readonly string[] = ['CreateStmt', 'IndexStmt', 'AlterTableStmt', 'RenameStmt', 'DropStmt'];

/** The tables that maintenance empties, of all workspaces at once: they hold the ids of messages that are too old to be sent again. */
export const EMPTIED_WHOLE: readonly string[] = SLOT_TABLES;

/** With this begin the statements of migrations that move data, for all workspaces. */
export const MIGRATION = '/* migration */';

/** Statements that may read or write across workspaces, since no request waits for them. */
export const EXEMPT: readonly { reason: string; statements: readonly string[] }[] = [
  {
    reason:
      'opening, and the first start: whether there is anything yet, and whether the hash key is that of all workspaces',
    statements: [
      'select workspace_id from workspaces where deleted_at is null limit $1',
      'select workspace_id from workspaces where hash_key_id != $1 and deleted_at is null',
    ],
  },
  {
    reason: 'each second: whether a newer version has migrated the database',
    statements: ['select name from kysely_migration'],
  },
  {
    reason: '`branchline workspace list`',
    statements: ['select workspace_id, created_at from workspaces where deleted_at is null order by workspace_id'],
  },
  {
    reason: 'hourly maintenance: what is old goes, and deleted workspaces are emptied, whoever has it',
    statements: [
      'select workspace_id from workspaces where deleted_at is not null and emptied_at is null order by deleted_at, workspace_id limit $1',
      `delete from seen_batches where (workspace_id, source_number, batch_id) in
        (select workspace_id, source_number, batch_id from seen_batches
          where seen_at >= $1 and seen_at < $2 order by seen_at limit $3) returning seen_at as value`,
      `delete from sessions where (workspace_id, session_hash) in
        (select workspace_id, session_hash from sessions
          where expires_at >= $1 and expires_at < $2 order by expires_at limit $3) returning expires_at as value`,
      `delete from sessions where (workspace_id, session_hash) in
        (select workspace_id, session_hash from sessions
          where last_used_at >= $1 and last_used_at < $2 order by last_used_at limit $3) returning last_used_at as value`,
      `delete from sign_in_links where (workspace_id, token_hash) in
        (select workspace_id, token_hash from sign_in_links
          where expires_at >= $1 and expires_at < $2 order by expires_at limit $3) returning expires_at as value`,
      `delete from finished_sign_ins where (workspace_id, state_hash) in
        (select workspace_id, state_hash from finished_sign_ins
          where finished_at >= $1 and finished_at < $2 order by finished_at limit $3) returning finished_at as value`,
      `delete from event_volumes where (workspace_id, event_key, app_version, day, source, environment) in
        (select workspace_id, event_key, app_version, day, source, environment from event_volumes
          where day >= $1 and day < $2 order by day limit $3) returning day as value`,
      `delete from volume_days where (workspace_id, source, day) in
        (select workspace_id, source, day from volume_days
          where day >= $1 and day < $2 order by day limit $3) returning day as value`,
      'select workspace_id from issue_news where workspace_id > $1 order by workspace_id limit $2',
      'select workspace_id from issue_versions where workspace_id > $1 and due_at is not null order by workspace_id, due_at limit $2',
      `select workspace_id, holder_id, operation, full_at <= (extract(epoch from statement_timestamp()) * 1000)::bigint as is_full
        from rate_limits where (workspace_id, holder_id, operation) > (select $1::text, $2::text, $3::text)
        order by workspace_id, holder_id, operation limit $4`,
      `select workspace_id, holder_id, operation, full_at <= $1::bigint as is_full
        from rate_limits where (workspace_id, holder_id, operation) > (select $2::text, $3::text, $4::text)
        order by workspace_id, holder_id, operation limit $5`,
      `delete from rate_limits where (workspace_id, holder_id, operation) in
        (select workspace_id, holder_id, operation from rate_limits
          where (workspace_id, holder_id, operation) > (select $1::text, $2::text, $3::text)
          order by workspace_id, holder_id, operation limit $4)
        and full_at <= (extract(epoch from statement_timestamp()) * 1000)::bigint`,
      `delete from rate_limits where (workspace_id, holder_id, operation) in
        (select workspace_id, holder_id, operation from rate_limits
          where (workspace_id, holder_id, operation) > (select $1::text, $2::text, $3::text)
          order by workspace_id, holder_id, operation limit $4)
        and full_at <= $5::bigint`,
      `delete from live_messages where (workspace_id, message_id) in
        (select workspace_id, message_id from live_messages
          where abs(sent_at - (extract(epoch from statement_timestamp()) * 1000)::bigint) >= 30000 limit $1)`,
    ],
  },
];

/**
 * Tables in which rows may be added or changed by a transaction that has not locked the workspace: where it has ended, none of them
 * stays. Deleting never needs it.
 */
export const UNGUARDED: readonly { table: string; only?: string; reason: string }[] = [
  {
    table: 'sessions',
    only: 'update sessions set last_used_at = $1 where workspace_id = $2 and session_hash = $3',
    reason: 'the last use is noted on the row that is there, and where it has gone, nowhere',
  },
  {
    table: 'rate_limits',
    reason: 'maintenance drops each bucket that is full again, whatever became of its workspace',
  },
  {
    table: 'live_messages',
    reason: 'maintenance drops each message after 30 seconds, whatever became of its workspace',
  },
];
