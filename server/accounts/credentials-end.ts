import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { describeKey } from './api-keys.ts';
import { type Administered, appendAuditLines } from './audit.ts';

/** The number of audit lines per statement. */
const LINES_AT_A_TIME = 500;

/**
 * Deletes all service accounts and API keys of a workspace from the command line; each kind is bounded (`MOST_CREDENTIALS`).
 *
 * @returns their ids
 */
export async function deleteCredentials(tx: Kysely<Tables>, workspaceId: string, at: number): Promise<string[]> {
  const accounts = await tx
    .deleteFrom('service_accounts')
    .where('workspace_id', '=', workspaceId)
    .returning(['name', 'account_id'])
    .execute();
  const keys = await tx
    .deleteFrom('api_keys')
    .where('workspace_id', '=', workspaceId)
    .returning(['source', 'key_id'])
    .execute();
  const act = { workspaceId, by: undefined, at };
  const lines: Administered[] = [
    ...accounts.map(({ name }) => ({ ...act, act: 'serviceAccountDeleted' as const, subject: name })),
    ...keys.map((key) => ({ ...act, act: 'apiKeyDeleted' as const, subject: describeKey(key) })),
  ];
  for (let from = 0; from < lines.length; from += LINES_AT_A_TIME)
    await appendAuditLines(tx, lines.slice(from, from + LINES_AT_A_TIME));
  return [...accounts.map((account) => account.account_id), ...keys.map((key) => key.key_id)];
}
