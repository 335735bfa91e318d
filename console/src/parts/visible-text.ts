/**
 * Characters that show nothing, or that change how others are shown: controls, bidirectional overrides, spaces of other widths.
 * The plain space is none unless it is at an end of the text, nor are those that emojis are put together with.
 */
const UNSEEN = /(?! |\ufe0f|(?<=[\p{ExtPict}\p{EMod}\ufe0f])\u200d(?=\p{ExtPict}))[\p{C}\p{Z}\p{DI}\u2800]/u;

const EACH_UNSEEN = new RegExp(`(${UNSEEN.source}|(?<=^ *) | (?= *$))`, 'u');

/** A stretch of a text that is shown as it is, or one character that would not show itself. */
export interface TextPart {
  text: string;
  /** Whether `text` is the number of a character (`U+202E`). */
  isCodePoint: boolean;
}

/** Splits a text that may hold anything so that all of it can be seen. */
export function visibleParts(text: string): TextPart[] {
  return text
    .split(EACH_UNSEEN)
    .map((part, index) =>
      index % 2 === 1 ? { text: codePoint(part), isCodePoint: true } : { text: part, isCodePoint: false },
    )
    .filter(({ text }) => text !== '');
}

/** The same where only text can stand, such as in the title of the window. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map(({ text, isCodePoint }) => (isCodePoint ? `⟨${text}⟩` : text))
    .join('');
}

/** Has a text in quotes, of JSON or Kotlin, hold no character that does not show itself. */
export function escapeUnseen(quoted: string): string {
  return quoted.replaceAll(new RegExp(UNSEEN, 'gu'), (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
