import { numberText } from '../parts/numbers.ts';
import { ObservedText } from '../parts/observed-text.tsx';
import type { LiveBatch } from './live-filters.ts';

/** The receipt of a batch: the counts, and the reasons for rejections. */
export function LiveReceipt({
  batch: { accepted, duplicates, rejected, unknown = 0, rejections },
}: {
  batch: LiveBatch;
}) {
  return (
    <>
      <ul class="receipt">
        {accepted > 0 && <li>{numberText(accepted)} accepted</li>}
        {duplicates > 0 && <li>{numberText(duplicates)} duplicate</li>}
        {unknown > 0 && <li>{numberText(unknown)} of unknown shape</li>}
        {rejected > 0 && <li class="used-up">{numberText(rejected)} rejected</li>}
      </ul>
      {rejections.length > 0 && (
        <ul class="rejections">
          {rejections.map(({ index, eventName, reason }) => (
            <li key={index}>
              {eventName === null ? `Event ${index + 1}` : <ObservedText text={eventName} />}:{' '}
              <ObservedText text={reason} />
            </li>
          ))}
          {rejected > rejections.length && <li class="quiet">and {numberText(rejected - rejections.length)} more</li>}
        </ul>
      )}
    </>
  );
}
