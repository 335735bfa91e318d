/** A path of these segments, each percent-encoded where RFC 3986 demands it and nowhere else. */
export function buildPath(...segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeSegment(segment)}`).join('');
}

/** Percent-encodes all that RFC 3986 does not allow in a path segment, and nothing more. */
export function encodeSegment(value: string): string {
  return encodeURIComponent(value).replaceAll(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, (code) => decodeURIComponent(code));
}
