const readable = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time in the reader's time zone, with UTC to the millisecond on hover. */
export function Time({ of }: { of: string }) {
  return (
    <time dateTime={of} title={utcText(of)}>
      {readable.format(new Date(of))}
    </time>
  );
}

const exact = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** A time of today, to the second. */
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

/** A time, or a dash if there is none. */
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
