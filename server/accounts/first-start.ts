import { SCOPES } from './principals.ts';
import type { ApiKeys } from './api-keys.ts';
import type { ServiceAccounts } from './service-accounts.ts';
import type { Workspaces } from './workspaces.ts';

/** What a first start made, with the secrets, which are shown this once. */
export interface FirstStart {
  workspaceId: string;
  accountName: string;
  accountSecret: string;
  apiKey: string;
}

const DEMO_WORKSPACE = 'demo';

/**
 * Fills an empty installation with a workspace, a service account and an API key to try things with.
 *
 * @returns undefined when there is something already; a demo workspace without any account is what a first start left that
 *   was killed, and is gone on with
 */
export async function firstStart(
  workspaces: Workspaces,
  accounts: ServiceAccounts,
  keys: ApiKeys,
): Promise<FirstStart | undefined> {
  const existing = (await workspaces.list()).map(({ workspaceId }) => workspaceId);
  if (existing.some((id) => id !== DEMO_WORKSPACE)) return undefined;
  if (existing.length === 0) await workspaces.create(DEMO_WORKSPACE);
  else if ((await accounts.list(DEMO_WORKSPACE)).length > 0) return undefined;
  const workspaceId = DEMO_WORKSPACE;
  const { account, secret } = await accounts.create({
    workspaceId,
    label: 'demo',
    email: 'demo@example.com',
    scopes: SCOPES,
    ratePerSecond: null,
    rateEnforcement: null,
  });
  const { text } = await keys.create({ workspaceId, source: 'demo-app', samplingRate: 1 });
  return { workspaceId, accountName: account.name, accountSecret: secret, apiKey: text };
}
