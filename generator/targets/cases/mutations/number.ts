import { removeDust } from '@branchline/contract';
import { type Mutation, type MutationRule, breakKeyword, keepValid } from '../mutation.ts';
import { readNumber, readText, readTypes } from '../schema-object.ts';
import type { SchemaLocation } from '../schema-location.ts';

/** The edges of `minimum`, `maximum` and their exclusive forms, and steps beside `multipleOf`. */
export const mutateNumber: MutationRule = (location) => {
  if (typeof location.value !== 'number') return [];
  const bounds = [
    ...mutateInclusiveBound(location, 'minimum', 'below', -1),
    ...mutateInclusiveBound(location, 'maximum', 'above', 1),
    ...mutateExclusiveBound(location, 'exclusiveMinimum', 'above', 1),
    ...mutateExclusiveBound(location, 'exclusiveMaximum', 'below', -1),
  ];
  return [...bounds, ...mutateMultiple(location, location.value), ...mutateWidth(location)];
};

function mutateInclusiveBound(
  location: SchemaLocation,
  keyword: string,
  outside: string,
  direction: number,
): Mutation[] {
  const bound = readNumber(location.schema, keyword);
  if (bound === undefined) return [];
  const past = listSteps(location).map((step) => removeDust(bound + direction * step));
  return [
    keepValid(location, { rule: `${keyword}-at`, says: `is ${bound}, exactly its ${keyword}`, candidates: [bound] }),
    breakKeyword(location, keyword, {
      rule: `${keyword}-${outside}`,
      says: `is ${outside} its ${keyword} ${bound}`,
      candidates: past,
    }),
  ];
}

function mutateExclusiveBound(
  location: SchemaLocation,
  keyword: string,
  inside: string,
  direction: number,
): Mutation[] {
  const bound = readNumber(location.schema, keyword);
  if (bound === undefined) return [];
  const within = listSteps(location).map((step) => removeDust(bound + direction * step));
  return [
    keepValid(location, {
      rule: `${keyword}-${inside}`,
      says: `is just ${inside} its ${keyword} ${bound}`,
      candidates: within,
    }),
    breakKeyword(location, keyword, {
      rule: `${keyword}-at`,
      says: `is ${bound}, which ${keyword} excludes`,
      candidates: [bound],
    }),
  ];
}

function mutateMultiple(location: SchemaLocation, value: number): Mutation[] {
  const step = readNumber(location.schema, 'multipleOf');
  if (step === undefined) return [];
  const integer = readTypes(location.schema).includes('integer');
  return [
    keepValid(location, {
      rule: 'multipleOf-next',
      says: `is another multiple of ${step}`,
      candidates: [removeDust(value + step), removeDust(value - step)],
    }),
    breakKeyword(location, 'multipleOf', {
      rule: 'multipleOf-between',
      says: `is not a multiple of ${step}`,
      candidates: integer ? [value + 1, value - 1] : [removeDust(value + step / 2), removeDust(value - step / 2)],
    }),
  ];
}

/** `format: int32` is a range of its own. */
function mutateWidth(location: SchemaLocation): Mutation[] {
  if (readText(location.schema, 'format') !== 'int32') return [];
  return [
    breakKeyword(location, 'format', {
      rule: 'format-int32',
      says: 'does not fit into 32 bits',
      candidates: [2 ** 31, -(2 ** 31) - 1],
    }),
  ];
}

function listSteps({ schema }: SchemaLocation): number[] {
  const multiple = readNumber(schema, 'multipleOf');
  if (multiple !== undefined) return [multiple, multiple * 2];
  return readTypes(schema).includes('integer') ? [1, 2] : [0.01, 0.5, 1];
}
