const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Clocks differ, and some services write no seconds. */
const TOLERANCE_MS = 2 * MINUTE_MS;
/** No time zone is further from UTC than 14 hours; a date may be a day off. */
const FURTHEST_MS = DAY_MS;

const DIGITS: Readonly<Record<number, number>> = { 10: 1_000, 13: 1, 16: 0.001 };
const ISO = /^([+-]?\d{4,6})(-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;

/** The moment that a timestamp names, in milliseconds; how it is written is not shown, so some can't be read. Without a zone it is in UTC. */
export function parseTimestamp(timestamp: string): number | undefined {
  const text = timestamp.trim();
  const unit = /^\d+$/.test(text) ? DIGITS[text.length] : undefined;
  if (unit !== undefined) return Number(text) * unit;
  const [, year, day, time, zone = 'Z'] = ISO.exec(text) ?? [];
  const moment =
    year === undefined
      ? Date.parse(/\b(?:GMT|UTC)\b/.test(text) ? text : '')
      : Date.parse(`${writeYear(year)}${day}T${time}${writeZone(zone)}`);
  return Number.isNaN(moment) ? undefined : moment;
}

/** A year as `Date.parse` reads it: with more than four digits it has a sign and six (ISO 8601, 4.1.2.4). */
function writeYear(year: string): string {
  if (/^\d{4}$/.test(year)) return year;
  return `${year.startsWith('-') ? '-' : '+'}${year.replace(/^[+-]/, '').padStart(6, '0')}`;
}

/** A zone as `Date.parse` reads it: `+02` is `+02:00`. */
function writeZone(zone: string): string {
  if (/^[a-z]/i.test(zone)) return 'Z';
  return zone.length === 3 ? `${zone}:00` : zone;
}

/** Whether a text can be a moment in some notation, even one that leaves doubt, such as `2/1/2026, 3:04`: it has a date's digits. */
export function isTimestamp(text: string): boolean {
  if (TIME_ALONE.test(text)) return false;
  // A thirteenth month, or none: there is no such day.
  if (parseTimestamp(text) === undefined && ISO.test(text.trim())) return false;
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

/** When something happened, as the run knows it. */
export interface Happened {
  /** In milliseconds by the clock of the run, as `to`. */
  readonly from: number;
  readonly to: number;
  /** By how many milliseconds the clock of the service was ahead, by its `Date` headers; `undefined` where it sends none. */
  readonly ahead: number | undefined;
}

/**
 * By how much a moment is not when something happened, in words; `undefined` where it may be. Right is what either clock says.
 * A service whose own clock is wrong, as its `Date` headers are then, may differ by less than a day, but not like another time zone.
 */
export function describeError(moment: number, happened: Happened): string | undefined {
  const { ahead } = happened;
  const errors = [0, ...(ahead === undefined ? [] : [ahead])].map((by) => measureError(moment, happened, by));
  if (errors.some((off) => Math.abs(off) <= TOLERANCE_MS)) return undefined;
  const hours = errors.map(toZoneHours).find((one) => one !== 0);
  if (hours !== undefined) return `${hours} hours`;
  const [off = 0] = errors.toSorted((one, other) => Math.abs(one) - Math.abs(other));
  if (Math.abs(off) > FURTHEST_MS + TOLERANCE_MS) return `${Math.round(off / DAY_MS)} days`;
  const isClockRight = ahead !== undefined && Math.abs(ahead) <= TOLERANCE_MS;
  return isClockRight ? `${Math.round(off / MINUTE_MS)} minutes` : undefined;
}

/** Milliseconds after the end of what happened, or before its begin, negative then. */
function measureError(moment: number, { from, to }: Happened, ahead: number): number {
  const own = moment - ahead;
  return own > to ? own - to : Math.min(own - from, 0);
}

/** The hours by which a clock in another time zone is off so; 0 where none is. */
function toZoneHours(off: number): number {
  const quarters = Math.round(off / QUARTER_MS);
  const isZone =
    quarters !== 0 &&
    Math.abs(off) <= FURTHEST_MS + TOLERANCE_MS &&
    Math.abs(off - quarters * QUARTER_MS) <= TOLERANCE_MS;
  return isZone ? quarters / 4 : 0;
}
