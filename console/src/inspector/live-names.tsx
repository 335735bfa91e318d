import { numberText } from '../parts/numbers.ts';
import { ObservedText } from '../parts/observed-text.tsx';
import type { LiveEvent } from './live-filters.ts';

/** The names of a batch's events, or the number of batches missing here. */
export function LiveNames({ event }: { event: LiveEvent }) {
  if (event.type === 'missed') return <span class="quiet">{missingText(event.batches)}</span>;
  return (
    <ul class="observed-list">
      {event.events.map(({ eventName, count }) => (
        <li key={eventName}>
          <ObservedText text={eventName} />
          {count > 1 && <span class="quiet"> × {numberText(count)}</span>}
        </li>
      ))}
      {event.otherEvents > 0 && <li class="quiet">{otherText(event)}</li>}
    </ul>
  );
}

function otherText({ events, otherEvents }: { events: readonly unknown[]; otherEvents: number }): string {
  const number = numberText(otherEvents);
  return events.length === 0 ? `${number} without a name that can be read` : `and ${number} more`;
}

function missingText(batches: number | null): string {
  if (batches === null) return 'Some batches may be missing here.';
  return batches === 1 ? 'One batch is not shown here.' : `${numberText(batches)} batches are not shown here.`;
}
