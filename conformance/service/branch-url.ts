const FORM = 'https://<web_host>/schemas/<workspace_segment>/branches/<branch_id>';

/** A query or a fragment after the documented form is not forbidden. */
const URL_OF_BRANCH = /^https:\/\/[^/?#\s@]+\/schemas\/([^/?#\s]+)\/branches\/([^/?#\s]+)(?:[?#]\S*)?$/;

/** What stands where somebody forgot to fill something in. */
const PLACEHOLDER = /^(?:undefined|null|nan|:.*|<.*>|\{.*\}|\$\{.*|\[object .*\])$/i;

/** In what a branchUrl differs from its documented form. */
export function urlProblems(url: string, branchId: string): string[] {
  const [, segment, id] = URL.canParse(url) ? (URL_OF_BRANCH.exec(url) ?? []) : [];
  if (segment === undefined || id === undefined) return [`"branchUrl" must have the form ${FORM}, but is ${url}.`];
  if (PLACEHOLDER.test(decoded(segment)))
    return [`"branchUrl" must name the workspace after "schemas", but is ${url}.`];
  if (id === branchId || decoded(id) === branchId) return [];
  return [`"branchUrl" must end with the branch's id, ${branchId}, but is ${url}.`];
}

/** What stands for the workspace. */
export function workspaceSegment(url: string): string | undefined {
  return URL_OF_BRANCH.exec(url)?.[1];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
