/** One word of a command line to paste, whatever is in it. */
export function quotedForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
