import type { components } from '../client/generated/types.ts';
import { paths } from '../navigation/paths.ts';
import { numberText } from '../parts/numbers.ts';

/** Counts stop at this number. */
const MOST_COUNTED = 100;

interface IssuesLinkProps {
  workspaceId: string;
  summary: Pick<components['schemas']['EventSummary'], 'eventName' | 'issues'>;
}

/** The number of an event's open issues, as a link to them. */
export function IssuesLink({ workspaceId, summary: { eventName, issues } }: IssuesLinkProps) {
  if (issues === 0) return <span class="quiet">none</span>;
  return (
    <a href={`${paths.event(workspaceId, eventName)}?show=issues`}>
      {issues > MOST_COUNTED ? `${numberText(MOST_COUNTED)}+` : numberText(issues)}
      <span class="unseen"> {issues === 1 ? 'open issue' : 'open issues'}</span>
    </a>
  );
}
