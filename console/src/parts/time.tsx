const readable = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A moment in the reader's zone; UTC, to the millisecond, when pointed at. */
export function Time({ of }: { of: string }) {
  return (
    <time dateTime={of} title={`${of.replace('T', ' ').replace('Z', '')} UTC`}>
      {readable.format(new Date(of))}
    </time>
  );
}

/** A moment, or a dash where it has not come. */
export function TimeOrNever({ of }: { of: string | null }) {
  return of === null ? <Never /> : <Time of={of} />;
}

export function Never() {
  return (
    <span class="quiet">
      <span aria-hidden="true">–</span>
      <span class="unseen">never</span>
    </span>
  );
}
