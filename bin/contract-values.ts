import { UserError } from '@branchline/command-line';
import { CreateApiKeyRequest, CreateServiceAccountRequest, Email } from '@branchline/server';

/** Parsers of values for which the command line has the rules of the contract. Each throws a UserError. */

export function emailAddress(text: string): string {
  return parseFitting(
    text,
    Email,
    `"${text}" is not an e-mail address of at most ${Email.maxLength} characters, such as ada@example.com.`,
  );
}

/** The name of a service account, before its random suffix. */
export function accountName(text: string): string {
  const sentence =
    'The name must have 1 to 64 characters, more than spaces, without a colon, control characters or marks of direction.';
  return parseFitting(text, CreateServiceAccountRequest.properties.name, sentence);
}

export function sourceName(text: string): string {
  const sentence =
    'The source must have 1 to 100 characters, more than spaces, without control characters or marks of direction. Name the app that the key ships in.';
  return parseFitting(text, CreateApiKeyRequest.properties.source, sentence);
}

export function samplingRate(text: string): number {
  const { minimum, maximum } = CreateApiKeyRequest.properties.samplingRate;
  const rate = Number(text);
  if (text.trim() !== '' && rate >= minimum && rate <= maximum) return rate;
  throw new UserError(`It must be a number from ${minimum} to ${maximum}.`);
}

interface TextSchema {
  minLength: number;
  maxLength: number;
  pattern: string;
}

function parseFitting(text: string, { minLength, maxLength, pattern }: TextSchema, sentence: string): string {
  // JSON Schema counts characters, not the halves of surrogate pairs.
  const { length } = [...text];
  if (length >= minLength && length <= maxLength && new RegExp(pattern, 'u').test(text)) return text;
  throw new UserError(sentence);
}
