/** Text as a TypeScript string literal in single quotes. */
export function quote(text: string): string {
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`);
  return `'${inner}'`;
}

/** A name as a property name: quoted only where it must be. */
export function printPropertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

export function printUnion(types: readonly string[]): string {
  return types.length === 0 ? 'never' : types.join(' | ');
}
