import { type Administration, inOneTransaction } from './administration.ts';
import { SCOPES } from './principals.ts';
import { hasWorkspaces } from './workspaces.ts';

/** What a first start made, with the secrets, which are shown this once. */
export interface FirstStart {
  workspaceId: string;
  accountName: string;
  accountSecret: string;
  apiKey: string;
  /** Lets whoever uses it in as an admin, once. */
  signInToken: string;
}

const DEMO_WORKSPACE = 'demo';

/**
 * Fills an empty installation with a workspace, a service account and an API key to try things with, and a link for its
 * first admin: all of them or, when it is killed meanwhile or they can't be shown, none.
 *
 * @param show what the secrets are shown by, once: where it throws, nothing is made
 * @returns undefined when there is something already, or another server that starts has just made it
 */
export function firstStart(
  administration: Administration,
  show: (made: FirstStart) => void,
): Promise<FirstStart | undefined> {
  return inOneTransaction(administration, async ({ storage, workspaces, accounts, keys, users }) => {
    if (await hasWorkspaces(storage)) return undefined;
    const workspace = await workspaces.createIfFree(DEMO_WORKSPACE);
    if (workspace === undefined) return undefined;
    const { workspaceId } = workspace;
    const { account, secret } = await accounts.create({
      workspaceId,
      label: 'demo',
      email: 'demo@example.com',
      scopes: SCOPES,
      ratePerSecond: null,
      rateEnforcement: null,
    });
    const { text } = await keys.create({ workspaceId, source: 'demo-app', samplingRate: 1 });
    const { token } = await users.createOpenLink(workspaceId, 'admin');
    const made = { workspaceId, accountName: account.name, accountSecret: secret, apiKey: text, signInToken: token };
    show(made);
    return made;
  });
}
