import type { components } from '../client/generated/types.ts';
import { shellOrigin } from '../navigation/server-origin.ts';

type Created = components['schemas']['CreatedServiceAccount'];

/** A `curl` command that the new account is allowed to run: it reads if possible, otherwise it creates a branch with a free name. */
export function curlLine(origin: string, workspaceId: string, { serviceAccount, secret }: Created): string {
  const { name, scopes } = serviceAccount;
  const user = `-u '${`${name}:${secret}`.replaceAll("'", String.raw`'\''`)}'`;
  const workspace = `${shellOrigin(origin)}/workspaces/${workspaceId}`;
  if (scopes.includes('branches:export')) return `curl -i ${user} ${workspace}/branches/export/v1`;
  if (scopes.includes('inspector:read')) return `curl -i ${user} ${workspace}/inspector/events/v1`;
  if (scopes.includes('branches:create')) {
    const suffix = name.slice(name.lastIndexOf('-') + 1);
    return `curl -i ${user} -H 'content-type: application/json' \\\n  -d '{"name":"try-${suffix}"}' ${workspace}/branches/v1`;
  }
  return `curl -i ${user} -X PUT -H 'content-type: application/json' \\\n  -d '{"branchStatus":"ReadyForReview"}' ${workspace}/branches/<branch id>/status/v1`;
}
