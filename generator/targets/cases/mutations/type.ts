import type { Json } from '@branchline/contract';
import { type ProbesOf, breaking } from '../mutation.ts';
import { typesOf } from '../schema-object.ts';

const examples: readonly { type: string; also: readonly string[]; value: Json }[] = [
  { type: 'null', also: [], value: null },
  { type: 'boolean', also: [], value: true },
  { type: 'integer', also: ['number'], value: 7 },
  { type: 'number', also: [], value: 7.5 },
  { type: 'string', also: [], value: 'text' },
  { type: 'array', also: [], value: [] },
  { type: 'object', also: [], value: {} },
];

/** Every JSON type that `type` does not allow. */
export const typeProbes: ProbesOf = (site) => {
  const allowed = typesOf(site.schema);
  if (allowed.length === 0) return [];
  return examples
    .filter(({ type, also }) => ![type, ...also].some((one) => allowed.includes(one)))
    .map(({ type, value }) =>
      breaking(site, 'type', {
        rule: `type-${type}`,
        says: `is of type ${type} instead of ${allowed.join(' or ')}`,
        candidates: type === 'number' ? [...fractionsNear(site.value), value] : [value],
      }),
    );
};

/** So that a fraction keeps the bounds of an integer. */
function fractionsNear(value: Json): number[] {
  return typeof value === 'number' ? [value + 0.5, value - 0.5] : [];
}
