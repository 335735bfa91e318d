import { useState } from 'preact/hooks';
import { Activity } from '../branches/activity.tsx';
import { BranchActions } from '../branches/branch-actions.tsx';
import { Collaborators } from '../branches/collaborators.tsx';
import { Facts } from '../branches/facts.tsx';
import { Status } from '../branches/status.tsx';
import { api } from '../client/api.ts';
import { succeed } from '../client/problem.ts';
import { useReading } from '../client/reading.ts';
import { allows, type Session } from '../client/sessions.ts';
import { paths } from '../navigation/paths.ts';
import { Loading } from '../parts/loading.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';

interface BranchPageProps {
  session: Session;
  branchId: string;
}

/** One branch: details, possible actions and activity. */
export function BranchPage({ session: { workspaceId }, branchId }: BranchPageProps) {
  const params = { workspaceId, branchId };
  const [changes, setChanges] = useState(0);
  const { content: branch, problem } = useReading(
    JSON.stringify([params, changes]),
    async (signal) => (await succeed(api.getBranch({ params }, { signal }))).body,
  );
  const changed = (): void => setChanges(changes + 1);
  if (branch === undefined) {
    return (
      <Page title="Branch">
        <ProblemNotice problem={problem} retries>
          {problem?.status === 404 && <a href={paths.branches(workspaceId)}>All branches</a>}
        </ProblemNotice>
        {problem === undefined && <Loading />}
      </Page>
    );
  }
  return (
    <Page title={branch.branchName} actions={<Status status={branch.branchStatus} />}>
      <ProblemNotice problem={problem} retries />
      {allows('editor') && <BranchActions workspaceId={workspaceId} branch={branch} changed={changed} />}
      <div class="columns">
        <div>
          <Facts branch={branch} />
          <Collaborators workspaceId={workspaceId} branch={branch} changed={changed} />
        </div>
        <Activity workspaceId={workspaceId} branchId={branchId} changes={changes} />
      </div>
    </Page>
  );
}
