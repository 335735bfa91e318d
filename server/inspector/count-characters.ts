const SURROGATE_PAIRS = /[\u{10000}-\u{10ffff}]/gu;

/** The number of Unicode code points, as JSON Schema counts (RFC 8259). */
export function countCharacters(text: string): number {
  return text.length - (text.match(SURROGATE_PAIRS)?.length ?? 0);
}
