/** The maximum length of a client's text repeated in a sentence, in characters. */
const MAX_QUOTED = 100;

/** Quotes a client's text for a sentence, truncated if it is long. */
export function quote(text: string): string {
  return `"${truncate(text, MAX_QUOTED)}"`;
}

/** Returns the text itself, or its beginning and an ellipsis: at most `length` characters. */
export function truncate(text: string, length: number): string {
  // Sliced before splitting into characters, so that a long text costs no more than a short one.
  const characters = [...text.slice(0, 2 * (length + 1)).toWellFormed()];
  return characters.length <= length ? text.toWellFormed() : `${characters.slice(0, length - 1).join('')}…`;
}
