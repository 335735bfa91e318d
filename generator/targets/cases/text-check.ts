import { type Json, type SchemaValidators, schemaValidators } from '@branchline/contract';
import type { ConfirmedMutation } from './confirmed-mutations.ts';

/** Whether a mutation still holds in what a server reads of its value once that has become text. */
export type TextCheck = (
  pointer: string,
  read: Json,
  mutation: Pick<ConfirmedMutation, 'valid' | 'keyword'>,
) => boolean;

/** Where the server reads something valid, or something wrong for another reason, a mutation does not show. */
export function createTextCheck(document: object): TextCheck {
  const readers: SchemaValidators = schemaValidators(document, {
    fromText: true,
    allErrors: true,
    boundsPatterns: true,
  });
  return (pointer, read, mutation) => {
    const validate = readers(pointer);
    if (validate(structuredClone(read))) return mutation.valid;
    return validate.errors?.some(({ keyword }) => keyword === mutation.keyword) === true;
  };
}
