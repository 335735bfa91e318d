import type { ProgramOrPerson } from './principals.ts';
import type { ServiceAccounts } from './service-accounts.ts';
import type { Sessions } from './sessions.ts';

/**
 * Whether whoever a request was authenticated as is still there, with what they may do at least: the account and the session, the person
 * and the workspace. For requests that go on for long.
 */
export async function stillStands(
  { accounts, sessions }: { accounts: ServiceAccounts; sessions: Sessions },
  { serviceAccount, session }: ProgramOrPerson,
): Promise<boolean> {
  if (serviceAccount !== undefined) return accounts.exists(serviceAccount.workspaceId, serviceAccount.accountId);
  return (await sessions.find(session.workspaceId, session.sessionHash)) !== undefined;
}
