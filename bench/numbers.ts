import { median } from './statistics.ts';

/** `12,345` */
export function whole(number: number): string {
  return Math.round(number).toLocaleString('en-GB');
}

/** `1.23` */
export function decimals(number: number, digits = 2): string {
  return number.toFixed(digits);
}

/** `17.3 MiB` */
export function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

/** The median of ratios, with the least and the greatest: `1.09 × (1.02–1.20)` */
export function medianRatio(ratios: readonly number[]): string {
  return `${decimals(median(ratios))} × (${decimals(Math.min(...ratios))}–${decimals(Math.max(...ratios))})`;
}

/** The median, with the least and the greatest: `310 (302–325)` */
export function medianWhole(figures: readonly number[]): string {
  return `${whole(median(figures))} (${whole(Math.min(...figures))}–${whole(Math.max(...figures))})`;
}
