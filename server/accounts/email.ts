import { UserError } from '@branchline/command-line';
import contract from '../generated/contract.json' with { type: 'json' };

const { minLength, maxLength, pattern } = contract.components.schemas.Email;

const VALID = new RegExp(pattern, 'u');

/** Whether the contract accepts the text as an e-mail. */
export function isEmail(text: string): boolean {
  return text.length >= minLength && text.length <= maxLength && VALID.test(text);
}

/** @throws UserError if the contract does not accept the text as an e-mail */
export function requireEmail(text: string): string {
  if (isEmail(text)) return text;
  throw new UserError(`"${text}" is not an e-mail address.`);
}

/** Returns an e-mail in its form for comparison, which ignores case. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
