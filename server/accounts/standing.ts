import type { ProgramOrPerson } from './principals.ts';
import type { ServiceAccounts } from './service-accounts.ts';
import type { Sessions } from './sessions.ts';

/**
 * Whether the principal of a request still has its access: the account or session, the person with at least the required role,
 * and the workspace. For long-running requests.
 */
export async function stillStands(
  { accounts, sessions }: { accounts: ServiceAccounts; sessions: Sessions },
  { serviceAccount, session }: ProgramOrPerson,
): Promise<boolean> {
  if (serviceAccount !== undefined) return accounts.exists(serviceAccount.workspaceId, serviceAccount.accountId);
  return (await sessions.find(session.workspaceId, session.sessionHash)) !== undefined;
}
