import { type Call, correct } from '../service/behaviour.ts';
import type { Fault } from '../fault.ts';

/** Serves one of the operations elsewhere. */
const moved = (path: string, to: string, name: string, clauses: readonly string[]): Fault => ({
  name,
  does: `serves ${path} at ${to}`,
  breaks: clauses,
  change: () => {
    const { [path]: route, ...others } = correct.routes;
    return { routes: route === undefined ? others : { ...others, [to]: route } };
  },
});

/** Of where the operations are. */
export const paths: readonly Fault[] = [
  moved('/branches/v1', '/branches', 'create-without-version', ['BRANCH-CREATE-REQUEST-1', 'VERSION-1', 'SERVICE-1']),
  moved('/branches/v1', '/v1/branches', 'create-version-first', ['BRANCH-CREATE-REQUEST-1', 'VERSION-1']),
  moved('/branches/v1', '/branches/v2', 'create-version-2', ['BRANCH-CREATE-REQUEST-1', 'VERSION-1']),
  moved('/branches/export/v1', '/export/v1', 'export-at-path-of-sample', ['EXPORT-REQUEST-1', 'SERVICE-2']),
  moved('/branches/export/v1', '/branches/export', 'export-without-version', ['EXPORT-REQUEST-1', 'VERSION-1']),
  {
    name: 'create-by-put',
    does: 'creates by PUT only',
    breaks: ['BRANCH-CREATE-REQUEST-1'],
    change: () => ({ routes: { ...correct.routes, '/branches/v1': { method: 'PUT', operation: 'create' } } }),
  },
  {
    name: 'export-by-post',
    does: 'exports by POST only',
    breaks: ['EXPORT-REQUEST-1'],
    change: () => ({ routes: { ...correct.routes, '/branches/export/v1': { method: 'POST', operation: 'export' } } }),
  },
  {
    name: 'one-workspace-for-all',
    does: 'knows one workspace, whichever is addressed',
    breaks: ['SERVICE-3'],
    change: () => ({
      exported: (call) => correct.exported(inFirst(call)),
      create: (name, account, call, behaviour) => correct.create(name, account, inFirst(call), behaviour),
    }),
  },
];

function inFirst(call: Call): Call {
  const [workspaceId = ''] = call.world.workspaces.keys();
  return { ...call, workspaceId };
}
