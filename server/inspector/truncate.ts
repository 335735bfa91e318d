/** How much of a client's text a sentence repeats, in characters. */
const MAX_QUOTED = 100;

/** A client's text in quotation marks, as a sentence may repeat it: cut where it is long. */
export function quote(text: string): string {
  return `"${truncate(text, MAX_QUOTED)}"`;
}

/** The text itself, or its beginning and an ellipsis: at most `length` characters. */
export function truncate(text: string, length: number): string {
  // Sliced before it is split into characters, so that a long text costs no more than a short one.
  const characters = [...text.slice(0, 2 * (length + 1)).toWellFormed()];
  return characters.length <= length ? text.toWellFormed() : `${characters.slice(0, length - 1).join('')}…`;
}
