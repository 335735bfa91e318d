/**
 * `=`, `+`, `-` and `@`, the minus sign U+2212, and characters that compatibility normalization (NFKC) turns into these: full-width,
 * small, superscript and subscript forms, the Hebrew plus, two and three equals signs. Some spreadsheets normalize their input.
 */
const STARTERS = String.raw`=+\-@\u207a-\u207c\u208a-\u208c\u2212\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20`;

/**
 * Matches everything that a spreadsheet could read as the beginning of a formula, wherever a cell may begin: spreadsheets split lines
 * at semicolons, tabs, spaces, bars or configured separators, some even inside quotes ("CSV Injection", OWASP). After a
 * letter, a digit, or a character that separates neither words nor cells it is part of the text; but some letters and marks are
 * invisible, such as Hangul's fillers.
 */
const FORMULA = new RegExp(
  String.raw`(?:(?<![\p{L}\p{M}\p{N}._${STARTERS}])|(?<=\p{Default_Ignorable_Code_Point}))[${STARTERS}]`,
  'gu',
);

/** A cell that begins with these hides the following characters. */
const HIDDEN_BEGINNING = /^[\t\r\n\0]/;

/** Returns the text with an apostrophe before everything that a spreadsheet could read as a formula. */
export function defuseFormulas(text: string): string {
  const defused = text.replaceAll(FORMULA, "'$&");
  return HIDDEN_BEGINNING.test(text) ? `'${defused}` : defused;
}
