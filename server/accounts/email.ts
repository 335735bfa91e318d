import { UserError } from '@branchline/command-line';
import contract from '../generated/contract.json' with { type: 'json' };

const { minLength, maxLength, pattern } = contract.components.schemas.Email;

const VALID = new RegExp(pattern, 'u');

/** Whether the contract takes it as an e-mail. */
export function isEmail(text: string): boolean {
  return text.length >= minLength && text.length <= maxLength && VALID.test(text);
}

/** @throws UserError for what the contract does not take as an e-mail */
export function requireEmail(text: string): string {
  if (isEmail(text)) return text;
  throw new UserError(`"${text}" is not an e-mail address.`);
}

/** An e-mail as it is compared: capital letters make no difference. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
