import type { ComponentChild } from 'preact';
import { allows, type Session } from './client/sessions.ts';
import { useWorkspaceSession } from './client/workspace-session.ts';
import { eventNameIn } from './navigation/paths.ts';
import { place } from './navigation/place.ts';
import { matchPath, ROUTES } from '@branchline/server/browser';
import { AccountsPage } from './pages/accounts.tsx';
import { AuditPage } from './pages/audit.tsx';
import { BranchPage } from './pages/branch.tsx';
import { BranchesPage } from './pages/branches.tsx';
import { EventPage } from './pages/event.tsx';
import { EventsPage } from './pages/events.tsx';
import { FinishSignInPage } from './pages/finish-sign-in.tsx';
import { ForbiddenPage } from './pages/forbidden.tsx';
import { LivePage } from './pages/live.tsx';
import { IssuesPage } from './pages/issues.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { PeoplePage } from './pages/people.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { SourcesPage } from './pages/sources.tsx';
import { WorkspacesPage } from './pages/workspaces.tsx';
import { Loading } from './parts/loading.tsx';
import { ProblemNotice } from './parts/problem-notice.tsx';
import { Shell, ShellOutline } from './parts/shell.tsx';

/** A page of a workspace. */
interface WorkspaceRoute {
  path: string;
  /** Defaults to `viewer`. */
  least?: Session['role'];
  page: (session: Session, params: Readonly<Record<string, string>>) => ComponentChild;
}

const WORKSPACE_ROUTES: readonly WorkspaceRoute[] = [
  { path: ROUTES.branches, page: (session) => <BranchesPage session={session} /> },
  {
    path: ROUTES.branch,
    page: (session, { branch = '' }) => <BranchPage key={branch} session={session} branchId={branch} />,
  },
  { path: ROUTES.events, page: (session) => <EventsPage session={session} /> },
  {
    path: ROUTES.event,
    page: (session, { event = '' }) => <EventPage key={event} session={session} eventName={eventNameIn(event)} />,
  },
  { path: ROUTES.live, page: (session) => <LivePage session={session} /> },
  { path: ROUTES.issues, page: (session) => <IssuesPage session={session} /> },
  { path: ROUTES.sources, page: (session) => <SourcesPage session={session} /> },
  { path: ROUTES.people, page: (session) => <PeoplePage session={session} /> },
  {
    path: ROUTES.accounts,
    least: 'admin',
    page: (session) => <AccountsPage session={session} />,
  },
  { path: ROUTES.audit, least: 'admin', page: (session) => <AuditPage session={session} /> },
];

/** Renders the page for the current URL. */
export function Console() {
  const { path } = place.value;
  if (path === ROUTES.signIn) return <SignInPage />;
  if (path === ROUTES.finishSignIn) return <FinishSignInPage />;
  if (path === ROUTES.workspaces)
    return (
      <Plain>
        <WorkspacesPage />
      </Plain>
    );
  for (const route of WORKSPACE_ROUTES) {
    const params = matchPath(route.path, path);
    if (params?.['workspace'] === undefined) continue;
    return <WorkspacePage key={params['workspace']} workspaceId={params['workspace']} route={route} params={params} />;
  }
  return (
    <Plain>
      <NotFoundPage />
    </Plain>
  );
}

function Plain({ children }: { children: ComponentChild }) {
  return (
    <main class="narrow">
      <p class="brand">Branchline</p>
      {children}
    </main>
  );
}

interface WorkspacePageProps {
  workspaceId: string;
  route: WorkspaceRoute;
  params: Readonly<Record<string, string>>;
}

function WorkspacePage({ workspaceId, route: { least = 'viewer', page }, params }: WorkspacePageProps) {
  const { current, problem } = useWorkspaceSession(workspaceId);
  if (current === undefined) {
    return (
      <ShellOutline workspaceId={workspaceId}>
        {problem === undefined ? <Loading /> : <ProblemNotice problem={problem} retries />}
      </ShellOutline>
    );
  }
  return <Shell current={current}>{allows(least) ? page(current, params) : <ForbiddenPage />}</Shell>;
}
