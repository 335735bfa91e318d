/** The value at a JSON pointer; `undefined` where there is none. */
export function findValue(root: unknown, pointer: string): unknown {
  const segments = pointer.split('/').slice(1);
  return segments.reduce<unknown>((value, segment) => {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, root);
}

/** The pointer that a schema's reference leads to; `undefined` where there is none within the document. */
export function readReference({ $ref: reference }: Record<string, unknown>): string | undefined {
  return typeof reference === 'string' && reference.startsWith('#/')
    ? decodeURIComponent(reference.slice(1))
    : undefined;
}

/** The pointers of the schemas that a keyword lists (`allOf`, say). */
export function listPointers(schema: Record<string, unknown>, pointer: string, keyword: string): string[] {
  const parts = schema[keyword];
  return Array.isArray(parts) ? parts.map((_part, index) => `${pointer}/${keyword}/${index}`) : [];
}

export function escapeSegment(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
