import type { BranchStatus } from '../../../server/branches/lifecycle.ts';
import type { SignedIn, TestServer } from '../../support/server.ts';

/** Creates a branch over HTTP, as the person or as the server's own account, and leads it through its life. */
export async function makeBranch(
  server: TestServer,
  name: string,
  { as, through = [] }: { as?: SignedIn; through?: readonly BranchStatus[] } = {},
): Promise<string> {
  const path = `${server.workspacePath}/branches`;
  const who = as === undefined ? {} : { as: null, headers: { cookie: as.cookie } };
  const created = await server.call({ method: 'POST', path: `${path}/v1`, json: { name }, ...who });
  const { branchId } = created.json() as { branchId: string };
  for (const branchStatus of through) {
    await server.call({ method: 'PUT', path: `${path}/${branchId}/status/v1`, json: { branchStatus }, ...who });
  }
  return branchId;
}
