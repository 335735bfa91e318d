import type { components } from '../client/generated/types.ts';
import { paths } from '../navigation/paths.ts';
import { numberText } from '../parts/numbers.ts';

/** More issues than these are not counted. */
const MOST_COUNTED = 100;

interface IssuesLinkProps {
  workspaceId: string;
  summary: Pick<components['schemas']['EventSummary'], 'eventName' | 'issues'>;
}

/** How many open issues an event has, and the way to them. */
export function IssuesLink({ workspaceId, summary: { eventName, issues } }: IssuesLinkProps) {
  if (issues === 0) return <span class="quiet">none</span>;
  return (
    <a href={`${paths.event(workspaceId, eventName)}?show=issues`}>
      {issues > MOST_COUNTED ? `${numberText(MOST_COUNTED)}+` : numberText(issues)}
      <span class="unseen"> {issues === 1 ? 'open issue' : 'open issues'}</span>
    </a>
  );
}
