/** Text that can stand in a comment. */
export function escapeComment(text: string): string {
  return text.replaceAll('*/', '*\\/').trim();
}

/** Text that can stand in a comment that ends with its line, in whatever language. */
export function escapeLineComment(text: string): string {
  return escapeComment(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' '));
}
