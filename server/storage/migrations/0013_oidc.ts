import type { Kysely } from 'kysely';
import { textType } from '../text-column.ts';

/** Who signs in at the OIDC provider. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema.alterTable('users').addColumn('oidc_issuer', text).execute();
  await db.schema.alterTable('users').addColumn('oidc_subject', text).execute();
  await db.schema
    .createIndex('users_by_identity')
    .on('users')
    .columns(['workspace_id', 'oidc_issuer', 'oidc_subject'])
    .unique()
    .execute();
}
