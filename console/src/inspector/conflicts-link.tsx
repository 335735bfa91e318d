import type { components } from '../client/generated/types.ts';
import { paths } from '../navigation/paths.ts';
import { numberText } from '../parts/numbers.ts';

/** More conflicts than these are not counted. */
const MOST_COUNTED = 100;

interface ConflictsLinkProps {
  workspaceId: string;
  summary: Pick<components['schemas']['EventSummary'], 'eventName' | 'conflicts'>;
}

/** How many properties of an event have several types, and the way to them. */
export function ConflictsLink({ workspaceId, summary: { eventName, conflicts } }: ConflictsLinkProps) {
  if (conflicts === 0) return <span class="quiet">none</span>;
  return (
    <a href={`${paths.conflicts(workspaceId)}?${new URLSearchParams({ eventName })}`}>
      {conflicts > MOST_COUNTED ? `${numberText(MOST_COUNTED)}+` : numberText(conflicts)}
    </a>
  );
}
