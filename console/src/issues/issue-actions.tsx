import type { Acting } from '../client/acting.ts';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import type { Issue } from './kinds.ts';

interface IssueActionsProps {
  issue: Issue;
  /** Of all the issues of a list: one is changed at a time. */
  changing: Acting<[Issue, Issue['state']]>;
  /** Whether the last change was tried on this issue. */
  isLast: boolean;
}

/** What can be made of an issue. */
export function IssueActions({ issue, changing: { act, busy, problem }, isLast }: IssueActionsProps) {
  const change = (state: Issue['state']) => () => void act(issue, state);
  return (
    <>
      <div class="button-row">
        {issue.state === 'open' ? (
          <>
            <button type="button" aria-disabled={busy} onClick={change('resolved')}>
              Resolve
            </button>
            <button type="button" aria-disabled={busy} onClick={change('ignored')}>
              Ignore<span class="unseen"> in {issue.environment}</span>
            </button>
          </>
        ) : (
          <button type="button" aria-disabled={busy} onClick={change('open')}>
            {issue.state === 'ignored' ? 'Stop ignoring' : 'Open again'}
          </button>
        )}
      </div>
      {isLast && <ProblemNotice problem={problem} />}
    </>
  );
}
