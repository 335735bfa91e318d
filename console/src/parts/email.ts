/** The contract's pattern of an e-mail. */
export const EMAIL_PATTERN =
  '^(?!\\s)[^\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]+@[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069@]+$';

const VALID = new RegExp(EMAIL_PATTERN, 'u');

export function isEmail(text: string): boolean {
  return VALID.test(text);
}
