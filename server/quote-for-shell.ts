/** Quotes an arbitrary text as one word of a command line to paste. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
