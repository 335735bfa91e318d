import type { Kysely } from 'kysely';
import { textType } from '../text-column.ts';

/** The sign-ins at the OIDC provider that are over. Rate limits, which remembered them before, are lost with a crash of PostgreSQL. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable('finished_sign_ins')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('state_hash', text, (column) => column.notNull())
    .addColumn('finished_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('finished_sign_ins_pk', ['workspace_id', 'state_hash'])
    .execute();
  await db.schema.createIndex('finished_sign_ins_by_age').on('finished_sign_ins').columns(['finished_at']).execute();
}
