/** What a client asks of the stub by the header `Prefer` (RFC 7240). */
export interface Preferences {
  /** `code=404`: the status of the reply. */
  code: number | undefined;
  /** `example=name`: the name of one of its examples. */
  example: string | undefined;
}

/** Reads `Prefer: code=404, example="not found"`; whatever else it says is not for the stub. */
export function readPreferences(header: string | string[] | undefined): Preferences {
  const written = [header ?? []].flat().join(',');
  const found = new Map(
    [...written.matchAll(/(?:^|[,;])\s*(code|example)\s*=\s*(?:"([^"]*)"|([^\s,;"]+))/gi)].map(
      ([, name = '', quoted, token]): [string, string | undefined] => [name.toLowerCase(), quoted ?? token],
    ),
  );
  const code = found.get('code');
  return { code: code !== undefined && /^\d{3}$/.test(code) ? Number(code) : undefined, example: found.get('example') };
}
