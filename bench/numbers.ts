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
