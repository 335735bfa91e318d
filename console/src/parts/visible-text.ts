/**
 * Characters that are invisible or affect other characters: controls, bidirectional overrides, unusual spaces.
 * A plain space counts only at either end of the text; the characters that join emojis do not count.
 */
const UNSEEN = /(?! |\ufe0f|(?<=[\p{ExtPict}\p{EMod}\ufe0f])\u200d(?=\p{ExtPict}))[\p{C}\p{Z}\p{DI}\u2800]/u;

const EACH_UNSEEN = new RegExp(`(${UNSEEN.source}|(?<=^ *) | (?= *$))`, 'u');

/** A run of text that is shown unchanged, or one invisible character. */
export interface TextPart {
  text: string;
  /** Whether `text` is a code point (`U+202E`). */
  isCodePoint: boolean;
}

/** Splits an arbitrary text so that invisible characters can be shown. */
export function visibleParts(text: string): TextPart[] {
  return text
    .split(EACH_UNSEEN)
    .map((part, index) =>
      index % 2 === 1 ? { text: codePoint(part), isCodePoint: true } : { text: part, isCodePoint: false },
    )
    .filter(({ text }) => text !== '');
}

/** The same as plain text, for places such as the window's title. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map(({ text, isCodePoint }) => (isCodePoint ? `⟨${text}⟩` : text))
    .join('');
}

/** Escapes the invisible characters of a quoted text, in JSON or Kotlin. */
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
