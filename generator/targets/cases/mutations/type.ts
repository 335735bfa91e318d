import type { Json } from '@branchline/contract';
import { type MutationRule, breakKeyword } from '../mutation.ts';
import { readTypes } from '../schema-object.ts';

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
export const mutateType: MutationRule = (location) => {
  const allowed = readTypes(location.schema);
  if (allowed.length === 0) return [];
  return examples
    .filter(({ type, also }) => ![type, ...also].some((one) => allowed.includes(one)))
    .map(({ type, value }) =>
      breakKeyword(location, 'type', {
        rule: `type-${type}`,
        says: `is of type ${type} instead of ${allowed.join(' or ')}`,
        candidates: type === 'number' ? [...proposeFractions(location.value), value] : [value],
      }),
    );
};

/** So that a fraction keeps the bounds of an integer. */
function proposeFractions(value: Json): number[] {
  return typeof value === 'number' ? [value + 0.5, value - 0.5] : [];
}
