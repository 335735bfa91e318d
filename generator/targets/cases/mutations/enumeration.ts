import type { Json } from '@branchline/contract';
import { type ProbesOf, breaking, keeping } from '../mutation.ts';
import { listIn } from '../schema-object.ts';

const mostValues = 20;

/** Each value of `enum`, one that is not in it, and one that is not the `const`. */
export const enumerationProbes: ProbesOf = (site) => {
  const values = listIn(site.schema, 'enum');
  const constant = site.schema['const'] as Json | undefined;
  const members = values.slice(0, mostValues).map((value) =>
    keeping(site, {
      rule: `enum-${typeof value === 'string' ? value : JSON.stringify(value)}`,
      says: `is ${JSON.stringify(value)}, one of its enum`,
      candidates: [value],
    }),
  );
  const outsider = breaking(site, 'enum', {
    rule: 'enum-other',
    says: 'is not one of its enum',
    candidates: values.flatMap(strangersTo),
  });
  const other = breaking(site, 'const', {
    rule: 'const-other',
    says: 'is not its const',
    candidates: constant === undefined ? [] : strangersTo(constant),
  });
  return [...members, ...(values.length > 0 ? [outsider] : []), ...(constant === undefined ? [] : [other])];
};

/** Values like the given one that are likely to keep every other rule. */
function strangersTo(value: Json): Json[] {
  if (typeof value === 'string')
    return [`${value}-other`, `${value}x`, [...value].toReversed().join(''), 'other', 'zz'];
  if (typeof value === 'number') return [value + 1, value - 1, value + 1000];
  if (typeof value === 'boolean') return [!value];
  return [];
}
