import { isJsonObject } from '@branchline/contract';
import { type Mutation, type MutationRule, breakKeyword } from '../mutation.ts';

const UNLIKELY = 'branchline-unlikely';

/** A discriminator that names no schema, one that is missing, and what is no object at all. */
export const mutateDiscriminator: MutationRule = (location) => {
  const { schema, value } = location;
  const { discriminator } = schema;
  const name = isJsonObject(discriminator) ? discriminator['propertyName'] : undefined;
  if (typeof name !== 'string' || !isJsonObject(value)) return [];
  const at = [...location.at, name];
  const unknown: Mutation = {
    rule: 'discriminator-unknown',
    says: 'is no value that its discriminator knows',
    at,
    breaks: { at, keyword: 'enum' },
    candidates: [UNLIKELY],
  };
  const missing: Mutation = {
    rule: 'required',
    says: 'is left out, though it is the discriminator',
    at,
    breaks: { at: location.at, keyword: 'required' },
    candidates: [undefined],
  };
  const other = breakKeyword(location, 'type', {
    rule: 'discriminator-none',
    says: 'is no object, so its discriminator is missing',
    candidates: [[], 'text', 7],
  });
  return [unknown, missing, other];
};
