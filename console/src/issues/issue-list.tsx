import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Acting, useActing } from '../client/acting.ts';
import { api } from '../client/api.ts';
import type { operations } from '../client/generated/types.ts';
import { usePolling } from '../client/polling.ts';
import { usePage } from '../client/page-reading.ts';
import { Problem, succeed } from '../client/problem.ts';
import { allows } from '../client/sessions.ts';
import { PropertyPath } from '../inspector/property-path.tsx';
import { paths } from '../navigation/paths.ts';
import { List } from '../parts/list.tsx';
import { shareText } from '../parts/numbers.ts';
import { ObservedText } from '../parts/observed-text.tsx';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { IssueActions } from './issue-actions.tsx';
import { IssueText } from './issue-text.tsx';
import { type Issue, KINDS } from './kinds.ts';

interface IssueListProps {
  workspaceId: string;
  asked: Omit<NonNullable<operations['listIssues']['parameters']['query']>, 'cursor' | 'limit'>;
  /** Shown if there are no issues. */
  empty: ComponentChildren;
  /** Called with the issues shown. */
  bar?: (issues: readonly Issue[]) => ComponentChildren;
}

const SAID: Readonly<Record<Issue['state'], string>> = {
  open: 'The issue is open again.',
  resolved: 'The issue was resolved.',
  ignored: 'The issue is ignored.',
};

/** A page of issues, with the buttons that change their state. */
export function IssueList({ workspaceId, asked, empty, bar }: IssueListProps) {
  const [last, setLast] = useState('');
  const [said, setSaid] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const leaving = useRef<number>(undefined);
  const reading = usePage(JSON.stringify([workspaceId, asked]), async (page, signal) => {
    const query = { ...asked, ...page };
    return (await succeed(api.listIssues({ params: { workspaceId }, query }, { signal }))).body;
  });
  const { content } = reading;
  usePolling(reading, content?.isComplete === false);

  const changing = useActing(async ({ issueId }: Issue, state: Issue['state']) => {
    setLast(issueId);
    try {
      await succeed(api.changeIssueState({ params: { workspaceId, issueId }, body: { state } }));
    } catch (error) {
      // Somebody else was faster: show the current state.
      if (error instanceof Problem && [404, 409].includes(error.status)) reading.reload();
      throw error;
    }
    setSaid(SAID[state]);
    // The row disappears together with the focused button, so the focus moves to the row that takes its place.
    leaving.current = content?.issues.findIndex((issue) => issue.issueId === issueId);
    list.current?.focus();
    reading.reload();
  });
  useLayoutEffect(() => {
    if (leaving.current === undefined || document.activeElement !== list.current) return;
    const rows = list.current?.querySelectorAll<HTMLElement>('tbody tr') ?? [];
    const row = rows[Math.min(leaving.current, rows.length - 1)];
    // Not its button: a key held down would press it.
    if (row !== undefined) row.tabIndex = -1;
    row?.focus();
    leaving.current = undefined;
  }, [content]);
  const isShown = content?.issues.some(({ issueId }) => issueId === last) === true;

  return (
    <div class="issues" ref={list} tabIndex={-1}>
      {bar?.(content?.issues ?? [])}
      <p role="status" class="unseen">
        {said}
      </p>
      {!isShown && <ProblemNotice problem={changing.problem} />}
      {content?.isComplete === false && (
        <p class="hint">Some observations are still being checked. More issues may appear in a moment.</p>
      )}
      <List
        caption="Issues"
        reading={reading}
        rowsOf={({ issues }) => issues}
        columns={columns(workspaceId, changing, last)}
        keyOf={({ issueId }) => issueId}
        empty={content?.nextCursor === null ? empty : <NothingYet />}
        next={content?.issues.length === 0 ? 'Search on' : undefined}
      />
    </div>
  );
}

function NothingYet() {
  return <p class="empty">Nothing found yet. The server has searched some of the issues.</p>;
}

function columns(workspaceId: string, changing: Acting<[Issue, Issue['state']]>, last: string): Column<Issue>[] {
  return [
    { name: 'Issue', isHeader: true, cell: (issue) => <Subject issue={issue} /> },
    { name: 'Event', cell: (issue) => <EventLink workspaceId={workspaceId} issue={issue} /> },
    { name: 'What', cell: (issue) => <IssueText issue={issue} /> },
    { name: 'Where', cell: (issue) => <Where issue={issue} /> },
    { name: 'Affected', isNumber: true, cell: ({ affectedShare }) => <Affected share={affectedShare} /> },
    { name: 'Seen', cell: (issue) => <Seen issue={issue} /> },
    ...(allows('editor') ? [actions(changing, last)] : []),
  ];
}

function actions(changing: Acting<[Issue, Issue['state']]>, last: string): Column<Issue> {
  return {
    name: '',
    cell: (issue) => <IssueActions issue={issue} changing={changing} isLast={issue.issueId === last} />,
  };
}

function Subject({ issue: { kind, property } }: { issue: Issue }) {
  return (
    <>
      {KINDS[kind]}
      {property.length > 0 && (
        <span class="clamped">
          <PropertyPath path={property} />
        </span>
      )}
    </>
  );
}

function EventLink({ workspaceId, issue: { eventName } }: { workspaceId: string; issue: Issue }) {
  if (eventName === null) return <a href={paths.sources(workspaceId)}>the whole source</a>;
  return (
    <a class="clamped" href={paths.event(workspaceId, eventName)}>
      <ObservedText text={eventName} />
    </a>
  );
}

function Where({ issue: { source, environment, appVersion } }: { issue: Issue }) {
  return (
    <div>
      <p>
        <ObservedText text={source} />
      </p>
      <p>
        {environment} <span class="quiet">·</span> <ObservedText text={appVersion} />
      </p>
    </div>
  );
}

function Seen({ issue: { firstSeen, lastSeen } }: { issue: Issue }) {
  return (
    <div>
      <p>
        <span class="quiet">first</span> <Time of={firstSeen} />
      </p>
      <p>
        <span class="quiet">last</span> <Time of={lastSeen} />
      </p>
    </div>
  );
}

function Affected({ share }: { share: number | null }) {
  return share === null ? <span class="quiet">unknown</span> : <>{shareText(share)}</>;
}
