import { place, stepsBehind, withQuery } from '../navigation/place.ts';

interface PagerProps {
  /** The cursor of the next page; null at the end, undefined while unknown. */
  nextCursor: string | null | undefined;
  next?: string | undefined;
}

/** Links between the pages of a list, each with its own URL. */
export function Pager({ nextCursor, next = 'Next page' }: PagerProps) {
  const isFirst = !place.value.query.has('cursor');
  if (isFirst && (nextCursor ?? null) === null) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {!isFirst && (
        <a class="button" href={withQuery({})}>
          First page
        </a>
      )}
      {!isFirst && stepsBehind() > 0 && (
        <button type="button" onClick={() => history.back()}>
          Back
        </button>
      )}
      {typeof nextCursor === 'string' && (
        <a class="button" rel="next" href={withQuery({ cursor: nextCursor })}>
          {next}
        </a>
      )}
    </nav>
  );
}
