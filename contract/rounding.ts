/** What was calculated of short decimals, without the dust of binary fractions: 0.07 for 7 times 0.01. */
export function removeDust(value: number): number {
  return Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
}
