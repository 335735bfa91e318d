const FORM = 'https://<web_host>/schemas/<workspace_segment>/branches/<branch_id>';

/** A query or a fragment after the documented form is not forbidden. */
const URL_OF_BRANCH = /^https:\/\/[^/?#\s@]+\/schemas\/([^/?#\s]+)\/branches\/([^/?#\s]+)(?:[?#]\S*)?$/;

/** Placeholders that were not filled in. */
const PLACEHOLDER = /^(?:undefined|null|nan|:.*|<.*>|\{.*\}|\$\{.*|\[object .*\])$/i;

/** The differences of a branchUrl from its documented form. */
export function checkBranchUrl(url: string, branchId: string, workspaceId: string): string[] {
  const [, segment, id] = URL.canParse(url) ? (URL_OF_BRANCH.exec(url) ?? []) : [];
  if (segment === undefined || id === undefined) return [`"branchUrl" must have the form ${FORM}, but is ${url}.`];
  if (PLACEHOLDER.test(decodeSegment(segment)))
    return [`"branchUrl" must name the workspace after "schemas", but is ${url}.`];
  if (segment !== workspaceId && decodeSegment(segment) !== workspaceId)
    return [`"branchUrl" must have the workspace's id, ${workspaceId}, after "schemas", but is ${url}.`];
  if (id === branchId || decodeSegment(id) === branchId) return [];
  return [`"branchUrl" must end with the branch's id, ${branchId}, but is ${url}.`];
}

/** The segment that stands for the workspace. */
export function readWorkspaceSegment(url: string): string | undefined {
  return URL_OF_BRANCH.exec(url)?.[1];
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
