const whole = new Intl.NumberFormat();
const share = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 });

/** A number as the reader's locale writes it. */
export function numberText(value: number): string {
  return whole.format(value);
}

/** A share of 1 as a percentage. */
export function shareText(value: number): string {
  return share.format(value);
}
