import type { Json } from '@branchline/contract';
import { type MutationRule, breakKeyword, keepValid } from '../mutation.ts';
import { readList } from '../schema-object.ts';

const mostValues = 20;

/** Each value of `enum`, one that is not in it, and one that is not the `const`. */
export const mutateEnumeration: MutationRule = (location) => {
  const values = readList(location.schema, 'enum');
  const constant = location.schema['const'] as Json | undefined;
  const members = values.slice(0, mostValues).map((value) =>
    keepValid(location, {
      rule: `enum-${typeof value === 'string' ? value : JSON.stringify(value)}`,
      says: `is ${JSON.stringify(value)}, one of its enum`,
      candidates: [value],
    }),
  );
  const outsider = breakKeyword(location, 'enum', {
    rule: 'enum-other',
    says: 'is not one of its enum',
    candidates: values.flatMap(proposeStrangers),
  });
  const other = breakKeyword(location, 'const', {
    rule: 'const-other',
    says: 'is not its const',
    candidates: constant === undefined ? [] : proposeStrangers(constant),
  });
  return [...members, ...(values.length > 0 ? [outsider] : []), ...(constant === undefined ? [] : [other])];
};

/** Values like the given one that are likely to keep every other rule. */
function proposeStrangers(value: Json): Json[] {
  if (typeof value === 'string')
    return [`${value}-other`, `${value}x`, [...value].toReversed().join(''), 'other', 'zz'];
  if (typeof value === 'number') return [value + 1, value - 1, value + 1000];
  if (typeof value === 'boolean') return [!value];
  return [];
}
