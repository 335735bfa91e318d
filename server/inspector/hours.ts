export const HOUR_MS = 60 * 60 * 1_000;
export const DAY_MS = 24 * HOUR_MS;

/** The columns of a day's hours (UTC). */
export const HOURS = [
  'h0',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'h7',
  'h8',
  'h9',
  'h10',
  'h11',
  'h12',
  'h13',
  'h14',
  'h15',
  'h16',
  'h17',
  'h18',
  'h19',
  'h20',
  'h21',
  'h22',
  'h23',
] as const;

export type HourColumn = (typeof HOURS)[number];

export const NO_HOURS = Object.fromEntries(HOURS.map((hour) => [hour, 0])) as Record<HourColumn, number>;

/** Returns the day (UTC) of a time in milliseconds since 1970, such as `2026-01-02`. */
export function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function toHourColumn(time: number): HourColumn {
  return HOURS[new Date(time).getUTCHours()] ?? 'h0';
}
