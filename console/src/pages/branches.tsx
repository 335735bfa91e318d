import { useState } from 'preact/hooks';
import { CreateDialog } from '../branches/create-dialog.tsx';
import { CsvDownload } from '../branches/csv-download.tsx';
import { FilterBar } from '../branches/filter-bar.tsx';
import { filtersIn, isFiltered, listQuery } from '../branches/filters.ts';
import { Status } from '../branches/status.tsx';
import { api } from '../client/api.ts';
import type { components } from '../client/generated/types.ts';
import { succeed } from '../client/problem.ts';
import { useReading } from '../client/reading.ts';
import { allows, type Session } from '../client/sessions.ts';
import { paths } from '../navigation/paths.ts';
import { place } from '../navigation/place.ts';
import { shellOrigin } from '../navigation/server-origin.ts';
import { Copyable } from '../parts/copyable.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { numberText } from '../parts/numbers.ts';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time, TimeOrNever } from '../parts/time.tsx';

type Branch = components['schemas']['Branch'];

/** The branches of a workspace. */
export function BranchesPage({ session: { workspaceId, userId } }: { session: Session }) {
  const [creating, setCreating] = useState(false);
  const filters = filtersIn(place.value.query);
  const query = listQuery(filters);
  const cursor = place.value.query.get('cursor');
  const params = { workspaceId };
  const list = useReading(JSON.stringify([workspaceId, query, cursor]), async (signal) => {
    const page = { ...query, ...(cursor !== null && { cursor }) };
    return (await succeed(api.listBranches({ params, query: page }, { signal }))).body;
  });
  const counts = useReading(workspaceId, async (signal) => {
    return (await succeed(api.countBranches({ params }, { signal }))).body.counts;
  });
  const isEmpty = list.content?.branches.length === 0;
  const isNew = isEmpty && !isFiltered(filters) && cursor === null;
  return (
    <Page
      title="Branches"
      actions={
        <div class="heading-actions">
          {!isNew && <CsvDownload workspaceId={workspaceId} query={query} />}
          {allows('editor') && (
            <button type="button" class="primary" onClick={() => setCreating(true)}>
              <Icon name="add" /> Create branch
            </button>
          )}
        </div>
      }
    >
      {!isNew && (
        <FilterBar filters={filters} counts={counts.content} creators={list.content?.branches ?? []} userId={userId} />
      )}
      <ProblemNotice problem={list.problem} retries />
      {list.content === undefined && list.problem === undefined && <Loading />}
      {list.content !== undefined && !isEmpty && (
        <Table
          caption="Branches"
          columns={columns(workspaceId)}
          rows={list.content.branches}
          keyOf={({ branchId }) => branchId}
          busy={list.busy}
        />
      )}
      {isNew && <FirstBranch workspaceId={workspaceId} />}
      {isEmpty && !isNew && <NothingFound goesOn={list.content?.nextCursor !== null} />}
      <Pager nextCursor={list.content?.nextCursor} next={isEmpty ? 'Search on' : 'Next page'} />
      {creating && <CreateDialog workspaceId={workspaceId} close={() => setCreating(false)} />}
    </Page>
  );
}

function columns(workspaceId: string): Column<Branch>[] {
  return [
    {
      name: 'Name',
      isHeader: true,
      cell: ({ branchId, branchName }) => <a href={paths.branch(workspaceId, branchId)}>{branchName}</a>,
    },
    { name: 'Status', cell: ({ branchStatus }) => <Status status={branchStatus} /> },
    { name: 'Created', cell: ({ creationDate }) => <Time of={creationDate} /> },
    { name: 'By', cell: ({ branchCreatorEmail }) => branchCreatorEmail },
    { name: 'Collaborators', cell: ({ collaborators }) => <Collaborators emails={collaborators} /> },
    { name: 'Last published', cell: ({ lastPublishedDate }) => <TimeOrNever of={lastPublishedDate} /> },
    { name: 'Merged', cell: ({ branchMergedDate }) => <TimeOrNever of={branchMergedDate} /> },
  ];
}

function Collaborators({ emails }: { emails: readonly string[] }) {
  const [first, ...others] = emails;
  if (first === undefined) return <span class="quiet">nobody</span>;
  if (others.length === 0) return <>{first}</>;
  return (
    <span title={others.join(', ')}>
      {first} <span class="quiet">and {numberText(others.length)} more</span>
    </span>
  );
}

function NothingFound({ goesOn }: { goesOn: boolean }) {
  return (
    <p class="empty">
      {goesOn ? 'Nothing found yet. The server has searched some of the branches.' : 'No branch matches these filters.'}
    </p>
  );
}

function FirstBranch({ workspaceId }: { workspaceId: string }) {
  const url = `${shellOrigin(location.origin)}/workspaces/${workspaceId}/branches/v1`;
  return (
    <section class="empty" aria-labelledby="first-branch">
      <h2 id="first-branch">No branch yet</h2>
      <p>
        A branch carries a change of the tracking plan from draft through review to the merge.{' '}
        {allows('editor') ? 'Create the first one above' : 'Ask an editor of the workspace to create the first one'}, or
        have a program do it with{' '}
        {allows('admin') ? <a href={paths.accounts(workspaceId)}>a service account</a> : 'a service account'}:
      </p>
      <Copyable
        name="curl line"
        text={`curl -u "$ACCOUNT:$SECRET" -H 'content-type: application/json' \\\n  -d '{"name":"my-first-branch"}' ${url}`}
      />
    </section>
  );
}
