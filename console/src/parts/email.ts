/** What the contract takes as an e-mail. */
export const EMAIL_PATTERN = '^[^\\u0000-\\u001f\\u007f]+@[^\\u0000-\\u0020\\u007f@]+$';

const VALID = new RegExp(EMAIL_PATTERN, 'u');

export function isEmail(text: string): boolean {
  return VALID.test(text);
}
