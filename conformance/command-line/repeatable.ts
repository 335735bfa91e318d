/** Of an option that may be given often: all of its values. */
export function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
