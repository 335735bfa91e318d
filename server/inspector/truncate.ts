/** The maximum length of a client's text repeated in a sentence, in characters. */
const MAX_QUOTED = 100;

/** Quotes a client's text for a sentence, truncated if it is long. */
export function quote(text: string): string {
  return `"${truncate(text, MAX_QUOTED)}"`;
}

/** Returns the text itself, or its beginning and an ellipsis: at most `length` characters. A long text costs no more than a short one. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text.toWellFormed();
  let end = 0;
  let lastBegins = 0;
  for (let characters = 0; characters < length && end < text.length; characters += 1) {
    lastBegins = end;
    end += (text.codePointAt(end) ?? 0) > LAST_OF_ONE_UNIT ? 2 : 1;
  }
  return end >= text.length ? text.toWellFormed() : `${text.slice(0, lastBegins).toWellFormed()}…`;
}

/** Greater code points take two units of UTF-16. */
const LAST_OF_ONE_UNIT = 0xffff;
