const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
/** Clocks differ, and some services write no seconds. */
const TOLERANCE_MS = 2 * MINUTE_MS;
/** No time zone is further from UTC than 14 hours; a date may be a day off. */
const FURTHEST_MS = 24 * 60 * MINUTE_MS;

const DIGITS: Readonly<Record<number, number>> = { 10: 1_000, 13: 1, 16: 0.001 };
const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;

/** The moment that a timestamp names, in milliseconds; how it is written is not shown, so some can't be read. Without a zone it is in UTC. */
export function parseTimestamp(timestamp: string): number | undefined {
  const text = timestamp.trim();
  const unit = /^\d+$/.test(text) ? DIGITS[text.length] : undefined;
  if (unit !== undefined) return Number(text) * unit;
  const [, date, time, zone = 'Z'] = ISO.exec(text) ?? [];
  const moment =
    date === undefined
      ? Date.parse(/\b(?:GMT|UTC)\b/.test(text) ? text : '')
      : Date.parse(`${date}T${time}${writeZone(zone)}`);
  return Number.isNaN(moment) ? undefined : moment;
}

/** A zone as `Date.parse` reads it: `+02` is `+02:00`. */
function writeZone(zone: string): string {
  if (/^[a-z]/i.test(zone)) return 'Z';
  return zone.length === 3 ? `${zone}:00` : zone;
}

/** Whether a text can be a moment in some notation, even one that leaves doubt, such as `2/1/2026, 3:04`: it has a date's digits. */
export function isTimestamp(text: string): boolean {
  if (TIME_ALONE.test(text)) return false;
  return (
    parseTimestamp(text) !== undefined || (!text.includes('@') && text.replaceAll(/\D/g, '').length >= FEWEST_DIGITS)
  );
}

const TIME_ALONE = /^\s*\d{1,2}:\d\d(:\d\d)?([.,]\d+)? ?(z|utc|gmt|[ap]m)?\s*$/i;

/** Of `Jan 2, 2026`, or of the days that spreadsheets count. */
const FEWEST_DIGITS = 5;

/** Whether a notation is exact to the second. */
export function hasSeconds(text: string): boolean {
  return /\d:\d\d:\d\d|^\d{10,}$/.test(text.trim());
}

/** The hours by which a moment is off like that of a clock in another time zone; 0 where it is not. A clock that is merely wrong is no matter of the documents. */
export function measureZoneOffset(moment: number, happened: number): number {
  const off = moment - happened;
  const quarters = Math.round(off / QUARTER_MS);
  const isZone =
    quarters !== 0 &&
    Math.abs(off) <= FURTHEST_MS + TOLERANCE_MS &&
    Math.abs(off - quarters * QUARTER_MS) <= TOLERANCE_MS;
  return isZone ? quarters / 4 : 0;
}
