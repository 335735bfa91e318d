import { isJsonObject, type Json, type JsonObject } from '@branchline/contract';
import { type Mutation, type MutationRule, breakKeyword, keepValid } from '../mutation.ts';
import { readList, readNumber } from '../schema-object.ts';
import type { SchemaLocation } from '../schema-location.ts';

const unknownName = 'branchlineUnknown';

/** Each required property left out, an unknown one added, and the edges of `minProperties` and `maxProperties`. */
export const mutateObject: MutationRule = (location) => {
  const { value } = location;
  if (!isJsonObject(value)) return [];
  return [...omitRequired(location), ...addUnknown(location), ...mutateCounts(location, value)];
};

function omitRequired(location: SchemaLocation): Mutation[] {
  return readList(location.schema, 'required')
    .filter((name) => typeof name === 'string')
    .map((name) => ({
      rule: 'required',
      says: 'is left out, though it is required',
      at: [...location.at, name],
      breaks: { at: location.at, keyword: 'required' },
      candidates: [undefined],
    }));
}

/** Only a schema that describes an object has an opinion on unknown properties. */
function addUnknown(location: SchemaLocation): Mutation[] {
  const { schema } = location;
  const at = [...location.at, unknownName];
  const forbids = ['additionalProperties', 'unevaluatedProperties'].find((keyword) => schema[keyword] === false);
  if (forbids !== undefined) {
    const says = 'is given, though unknown properties are forbidden';
    return [{ rule: forbids, says, at, breaks: { at: location.at, keyword: forbids }, candidates: ['unknown'] }];
  }
  if (!isJsonObject(schema['properties'])) return [];
  const says = 'is given, unknown but allowed';
  return [{ rule: 'unknown-allowed', says, at, breaks: undefined, candidates: ['unknown'] }];
}

function mutateCounts(location: SchemaLocation, value: JsonObject): Mutation[] {
  const least = readNumber(location.schema, 'minProperties');
  const most = readNumber(location.schema, 'maxProperties');
  const mutations: Mutation[] = [];
  if (least !== undefined && least > 0) {
    mutations.push(
      keepValid(location, {
        rule: 'minProperties-at',
        says: `has exactly its minProperties ${least}`,
        candidates: resize(value, least),
      }),
      breakKeyword(location, 'minProperties', {
        rule: 'minProperties-below',
        says: `has one property fewer than its minProperties ${least}`,
        candidates: resize(value, least - 1),
      }),
    );
  }
  if (most !== undefined && most <= mostProperties) {
    mutations.push(
      keepValid(location, {
        rule: 'maxProperties-at',
        says: `has exactly its maxProperties ${most}`,
        candidates: resize(value, most),
      }),
      breakKeyword(location, 'maxProperties', {
        rule: 'maxProperties-above',
        says: `has one property more than its maxProperties ${most}`,
        candidates: resize(value, most + 1),
      }),
    );
  }
  return mutations;
}

/** More would only bloat the case file. */
const mostProperties = 100;

function resize(value: JsonObject, count: number): Json[] {
  const entries = Object.entries(value);
  if (count <= entries.length) {
    return [Object.fromEntries(entries.slice(0, count)), Object.fromEntries(entries.slice(entries.length - count))];
  }
  const [, sample = 'unknown'] = entries[0] ?? [];
  const more = Array.from({ length: count - entries.length }, (_, index) => [`${unknownName}${index + 1}`, sample]);
  return [{ ...value, ...Object.fromEntries(more) }];
}
