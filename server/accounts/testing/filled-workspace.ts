import { hash } from 'node:crypto';
import { changeStatus } from '../../branches/decisions.ts';
import { branchStore } from '../../branches/store.ts';
import { ACTOR, idAt } from '../../branches/testing/branches.ts';
import { settleCounts } from '../../inspector/ingest/pending-counts.ts';
import { lookForSomeIssues } from '../../inspector/issues/look-for-issues.ts';
import { batch, eventWith, openIngest } from '../../inspector/testing/batches.ts';
import type { Storage } from '../../storage/storage.ts';
import { ofTest } from '../../storage/testing/statements-of-tests.ts';
import { TEST_HASHER } from '../../storage/testing/workspaces.ts';
import { ApiKeys } from '../api-keys.ts';
import { CredentialUse } from '../credential-use.ts';
import { Guessing } from '../guessing.ts';
import { BoundUsers } from '../oidc/bound-users.ts';
import { Passwords } from '../passwords.ts';
import { type Role, SCOPES } from '../principals.ts';
import { ServiceAccounts } from '../service-accounts.ts';
import { Sessions } from '../sessions.ts';
import { SignIn } from '../sign-in.ts';
import { SignInLinks } from '../sign-in-links.ts';
import { Users } from '../users.ts';
import { Workspaces } from '../workspaces.ts';

const PASSWORD = 'correct horse battery staple';

let lastId = 0;

/** All of the server that writes for workspaces, over this storage. */
function partsOver(storage: Storage, clock: () => number) {
  const newId = () => `id-${String((lastId += 1)).padStart(8, '0')}`;
  const dependencies = { storage, hasher: TEST_HASHER, clock, newId };
  const sessions = new Sessions(dependencies);
  const links = new SignInLinks(dependencies);
  const users = new Users({ ...dependencies, sessions, links });
  const signIn = new SignIn({
    ...dependencies,
    sessions,
    links,
    users,
    // What these cost is of no interest here.
    passwords: new Passwords({ derive: async ({ message, nonce }) => hash('sha256', `${message}${nonce}`, 'buffer') }),
    guessing: new Guessing({ take: async () => ({ withinLimit: true, remaining: 1, resetSeconds: 1 }) }),
    boundUsers: new BoundUsers({ sessions, links, clock }),
  });
  return {
    storage,
    sessions,
    users,
    signIn,
    accounts: new ServiceAccounts(dependencies),
    keys: new ApiKeys(dependencies),
    use: new CredentialUse({
      storage,
      clock,
      onFailure: (error) => {
        throw error;
      },
    }),
    branches: branchStore(storage),
    ingest: openIngest({ storage }),
    workspaces: new Workspaces(storage, clock, TEST_HASHER.keyId),
    /** Those of a server with another hash key. */
    otherWorkspaces: new Workspaces(storage, clock, 'another'),
  };
}

/** Ada has signed in, Eve was only invited, and a link is there for whoever uses it. */
async function addPeople({ users, signIn }: ReturnType<typeof partsOver>, workspaceId: string) {
  const invite = async (email: string, role: Role) => {
    const invited = await users.invite({ workspaceId, email, role, by: undefined });
    if (typeof invited === 'string') throw new Error(`${email}: ${invited}`);
    return invited;
  };
  const ada = await invite('ada@example.com', 'admin');
  const entrance = { workspaceId, client: '203.0.113.1', replaces: [] };
  const signedIn = await signIn.withLink(entrance, ada.link.token, { password: PASSWORD });
  if (!(typeof signedIn === 'object' && 'session' in signedIn)) throw new Error(JSON.stringify(signedIn));
  const eve = await invite('eve@example.com', 'viewer');
  return {
    by: { workspaceId, id: ada.user.userId, email: ada.user.email },
    session: signedIn.session,
    ada: { workspaceId, userId: ada.user.userId, by: undefined },
    eve: { workspaceId, userId: eve.user.userId, by: undefined },
    /** Eve's. */
    link: eve.link.token,
    openLink: (await users.createOpenLink(workspaceId, 'editor')).token,
  };
}

export type FilledWorkspace = Awaited<ReturnType<typeof fillWorkspace>>;

/** Makes a workspace that has something of each kind, through the parts of the server that write it. */
export async function fillWorkspace(storage: Storage, workspaceId: string, clock: () => number) {
  const parts = partsOver(storage, clock);
  const { accounts, keys, branches, ingest } = parts;
  await parts.workspaces.create(workspaceId);
  const account = { label: 'ci', email: 'ci@example.com', scopes: SCOPES, ratePerSecond: null, rateEnforcement: null };
  const { accountId } = (await accounts.create({ ...account, workspaceId })).account;
  const { key } = await keys.create({ workspaceId, source: 'shop', samplingRate: 1 });
  const people = await addPeople(parts, workspaceId);

  for (const [name, at] of [
    ['open', 1],
    ['closed', 2],
  ] as const)
    await branches.create({ workspaceId, branchId: idAt(at), name, actor: ACTOR, at });
  await branches.change({
    workspaceId,
    branchId: idAt(2),
    actor: ACTOR,
    clock: () => 3,
    decide: changeStatus('Closed'),
  });

  await ingest.take(key, batch([eventWith('property-0'), eventWith('property-0', 'string')]));
  await settleCounts(storage, workspaceId);
  while (await lookForSomeIssues(storage, workspaceId));
  const issues = ofTest(storage).db.selectFrom('issues').select('issue_id').where('workspace_id', '=', workspaceId);
  const { issue_id: issueId } = await issues.executeTakeFirstOrThrow();
  return { ...parts, ...people, workspaceId, accountId, key, issueId, password: PASSWORD };
}
