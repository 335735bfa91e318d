const DAY = 86_400_000;

/** The number of days whose text is cached: an export's times share few days, and JavaScript's own formatting is slow. */
const MOST_DAYS = 10_000;

const days = new Map<number, string>();
const two = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const three = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));

/**
 * Formats a time as `toISOString` does: RFC 3339, UTC, milliseconds; null for steps that never happened.
 *
 * @param time milliseconds since 1970, UTC; a whole number
 */
export function isoTime(time: number): string;
export function isoTime(time: number | null): string | null;
export function isoTime(time: number | null): string | null {
  if (time === null) return null;
  const day = Math.floor(time / DAY);
  const rest = time - day * DAY;
  const hour = two[Math.floor(rest / 3_600_000)];
  const minute = two[Math.floor(rest / 60_000) % 60];
  const second = two[Math.floor(rest / 1_000) % 60];
  return `${days.get(day) ?? dayText(day)}${hour}:${minute}:${second}.${three[rest % 1_000]}Z`;
}

/** `2026-01-02T` */
function dayText(day: number): string {
  const text = new Date(day * DAY).toISOString().slice(0, -'00:00:00.000Z'.length);
  if (days.size >= MOST_DAYS) days.clear();
  days.set(day, text);
  return text;
}
