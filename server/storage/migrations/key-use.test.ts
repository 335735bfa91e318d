// @module-tag both-engines
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ApiKeys } from '../../accounts/api-keys.ts';
import { CredentialUse } from '../../accounts/credential-use.ts';
import { SecretHasher } from '../../accounts/secrets.ts';
import { ServiceAccounts } from '../../accounts/service-accounts.ts';
import { openStorage } from '../open.ts';
import { newDatabase } from '../testing/databases.ts';
import { openAsBefore } from '../testing/open-as-before.ts';

const NOW = Date.UTC(2026, 0, 2);

test('of accounts and keys from before nothing is known until they are used, and they still work', async () => {
  const { location, remove } = await newDatabase({ empty: true });
  const hasher = new SecretHasher(Buffer.alloc(32));
  const secret = 's'.repeat(43);
  const before = await openAsBefore(location, '0014');
  for (const statement of [
    `insert into workspaces (workspace_id, hash_key_id, created_at) values ('demo', '${hasher.keyId}', 1)`,
    `insert into service_accounts (workspace_id, account_id, name, email, secret_hash, scopes, created_at)
      values ('demo', 'a-1', 'ci-abc', 'ci@example.com', '${hasher.hash(secret)}', '[]', 2)`,
    `insert into api_keys values ('demo', 'k-1', 'shop', '${hasher.hash(secret)}', 1, 3)`,
  ])
    await sql.raw(statement).execute(before);
  await before.destroy();

  const storage = await openStorage(location);
  const dependencies = { storage, hasher, clock: () => NOW, newId: () => 'new' };
  const accounts = new ServiceAccounts(dependencies);
  const keys = new ApiKeys(dependencies);
  const lists = async () => [
    ...(await accounts.list('demo', undefined, 10)),
    ...(await keys.list('demo', undefined, 10)),
  ];
  const [account, key] = await lists();
  expect(account).toMatchObject({ accountId: 'a-1', createdAt: 2, lastUsedAt: null });
  expect(key).toEqual({ workspaceId: 'demo', keyId: 'k-1', source: 'shop', samplingRate: 1, createdAt: 3 });

  expect(await accounts.authenticate('demo', 'ci-abc', secret)).toMatchObject({ accountId: 'a-1' });
  const use = new CredentialUse({ storage, clock: () => NOW, onFailure: (error) => expect.unreachable(String(error)) });
  use.countRequest({ workspaceId: 'demo', accountId: 'a-1' });
  use.countBatch({ workspaceId: 'demo', keyId: 'k-1' }, { name: 'lib', version: '1', platform: 'android' });
  await use.writeAll();
  expect(await lists()).toMatchObject([{ lastUsedAt: NOW }, { use: { lastUsedAt: NOW, batches: 1 } }]);
  await storage.close();
  await remove();
});
