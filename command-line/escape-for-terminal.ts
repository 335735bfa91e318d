/**
 * A text as a terminal may show it: control characters, which would command it, and bidirectional ones, which change the order of
 * what is read, as `\\u001b`. Line ends stay.
 */
export function escapeForTerminal(text: string): string {
  return text.replaceAll(
    /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
