const whole = new Intl.NumberFormat();
const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 });

/** Formats a number in the reader's locale. */
export function numberText(value: number): string {
  return whole.format(value);
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

/** Formats a number of bytes in the largest fitting unit. */
export function bytesText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const format = {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  } as const;
  return new Intl.NumberFormat(undefined, format).format(bytes / 1_000 ** power);
}

/** Formats a share of 1 as a percentage. */
export function shareText(value: number): string {
  return share.format(value);
}
