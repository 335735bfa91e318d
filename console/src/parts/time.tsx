const readable = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A moment in the reader's zone; UTC, to the millisecond, when pointed at. */
export function Time({ of }: { of: string }) {
  return (
    <time dateTime={of} title={utcText(of)}>
      {readable.format(new Date(of))}
    </time>
  );
}

const exact = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** A moment of today, to the second. */
export function ClockTime({ of }: { of: string }) {
  return (
    <time dateTime={of} title={utcText(of)}>
      {exact.format(new Date(of))}
    </time>
  );
}

function utcText(of: string): string {
  return `${of.replace('T', ' ').replace('Z', '')} UTC`;
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
