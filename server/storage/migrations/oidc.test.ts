// @module-tag both-engines
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openStorage } from '../open.ts';
import { newDatabase } from '../testing/databases.ts';
import { openAsBefore } from '../testing/open-as-before.ts';
import { ofTest } from '../testing/statements-of-tests.ts';

test('people from before are bound to nobody, and two of a workspace can not be bound to one identity', async () => {
  const { location, remove } = await newDatabase({ empty: true });
  const before = await openAsBefore(location, '0013');
  for (const [workspace, user] of [
    ['shop', 'ada'],
    ['shop', 'grace'],
    ['bank', 'ada'],
  ]) {
    const insert = `insert into users (workspace_id, user_id, email, email_key, role, created_at) values
      ('${workspace}', '${user}', '${user}@example.com', '${user}@example.com', 'viewer', 1)`;
    await sql.raw(insert).execute(before);
  }
  await before.destroy();

  const storage = await openStorage(location);
  const { db } = ofTest(storage);
  const rows = await db.selectFrom('users').select(['oidc_issuer', 'oidc_subject']).execute();
  expect(rows).toEqual(Array.from({ length: 3 }, () => ({ oidc_issuer: null, oidc_subject: null })));
  const bind = (workspaceId: string, userId: string) =>
    db
      .updateTable('users')
      .set({ oidc_issuer: 'https://id.example', oidc_subject: 'subject' })
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .execute();
  await bind('shop', 'ada');
  await bind('bank', 'ada');
  await expect(bind('shop', 'grace')).rejects.toThrow(/unique/i);
  await storage.close();
  await remove();
});
