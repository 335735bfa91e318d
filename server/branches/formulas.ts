/**
 * `=`, `+`, `-` and `@`, the minus sign U+2212, and what compatibility normalization (NFKC) turns into one of them: full-width,
 * small, superscript and subscript forms, the Hebrew plus, two and three equals signs. Some spreadsheets normalize what they read.
 */
const STARTERS = String.raw`=+\-@\u207a-\u207c\u208a-\u208c\u2212\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20`;

/**
 * What a spreadsheet could take for the beginning of a formula, wherever a cell may begin: spreadsheets split lines at semicolons,
 * tabs, spaces, bars or what they are told to, some of them although the text stands in quotes ("CSV Injection", OWASP). After a
 * letter, a digit, or what separates neither words nor cells it is a part of the text; but there are letters and marks that nobody
 * sees, such as Hangul's fillers.
 */
const FORMULA = new RegExp(
  String.raw`(?:(?<![\p{L}\p{M}\p{N}._${STARTERS}])|(?<=\p{Default_Ignorable_Code_Point}))[${STARTERS}]`,
  'gu',
);

/** A cell that begins so hides what comes behind. */
const HIDDEN_BEGINNING = /^[\t\r\n\0]/;

/** The text with an apostrophe before whatever a spreadsheet could take for the beginning of a formula. */
export function defuseFormulas(text: string): string {
  const defused = text.replaceAll(FORMULA, "'$&");
  return HIDDEN_BEGINNING.test(text) ? `'${defused}` : defused;
}
