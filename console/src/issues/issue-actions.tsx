import type { Acting } from '../client/acting.ts';
import { ProblemNotice } from '../parts/problem-notice.tsx';
import type { Issue } from './kinds.ts';

interface IssueActionsProps {
  issue: Issue;
  /** Shared by all issues of a list: only one changes at a time. */
  changing: Acting<[Issue, Issue['state']]>;
  /** Whether the last change concerned this issue. */
  isLast: boolean;
}

/** The buttons that change an issue's state. */
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
