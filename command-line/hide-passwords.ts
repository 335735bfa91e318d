/**
 * A text without the passwords of URLs in it, such as `postgres://user:secret@host/name`, which may stand where something else was
 * meant. A path that was made of one has lost a slash. Of passwords past 1,000 characters a part is left out.
 */
export function hidePasswords(text: string): string {
  return text.replace(/(:\/{1,2}[^\s/:@]*:)(?!\d+\/)\S{1,1000}@/g, '$1…@');
}
