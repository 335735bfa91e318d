import type { Kysely } from 'kysely';
import { textType } from '../text-column.ts';

/** People, how they sign in, and who administered what. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('users')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.notNull())
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('email_key', text, (column) => column.notNull())
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('password_hash', text)
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_sign_in_at', 'bigint')
    .addPrimaryKeyConstraint('users_pk', ['workspace_id', 'user_id'])
    .addUniqueConstraint('users_email', ['workspace_id', 'email_key'])
    .execute();

  await db.schema
    .createTable('sessions')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('session_hash', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('sessions_pk', ['workspace_id', 'session_hash'])
    .execute();
  await db.schema.createIndex('sessions_of_user').on('sessions').columns(['workspace_id', 'user_id']).execute();
  await db.schema.createIndex('sessions_by_end').on('sessions').columns(['expires_at']).execute();

  await db.schema
    .createTable('sign_in_links')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('token_hash', text, (column) => column.notNull())
    .addColumn('user_id', text)
    .addColumn('role', text)
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('sign_in_links_pk', ['workspace_id', 'token_hash'])
    .execute();
  await db.schema.createIndex('links_of_user').on('sign_in_links').columns(['workspace_id', 'user_id']).execute();
  await db.schema.createIndex('links_by_end').on('sign_in_links').columns(['expires_at']).execute();

  await db.schema
    .createTable('audit_lines')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('line_id', text, (column) => column.notNull())
    .addColumn('happened_at', 'bigint', (column) => column.notNull())
    .addColumn('actor_id', text)
    .addColumn('actor_email', text)
    .addColumn('act', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_lines_pk', ['workspace_id', 'line_id'])
    .execute();
}
