import { isJsonObject, type Json, type JsonObject } from '@branchline/contract';
import { type Probe, type ProbesOf, breaking, keeping } from '../mutation.ts';
import { listIn, numberIn } from '../schema-object.ts';
import type { Site } from '../schema-location.ts';

const unknownName = 'branchlineUnknown';

/** Each required property left out, an unknown one added, and the edges of `minProperties` and `maxProperties`. */
export const objectProbes: ProbesOf = (site) => {
  const { value } = site;
  if (!isJsonObject(value)) return [];
  return [...missing(site), ...unknown(site), ...counts(site, value)];
};

function missing(site: Site): Probe[] {
  return listIn(site.schema, 'required')
    .filter((name) => typeof name === 'string')
    .map((name) => ({
      rule: 'required',
      says: 'is left out, though it is required',
      at: [...site.at, name],
      breaks: { at: site.at, keyword: 'required' },
      candidates: [undefined],
    }));
}

/** Only a schema that describes an object has an opinion on unknown properties. */
function unknown(site: Site): Probe[] {
  const { schema } = site;
  const at = [...site.at, unknownName];
  const forbids = ['additionalProperties', 'unevaluatedProperties'].find((keyword) => schema[keyword] === false);
  if (forbids !== undefined) {
    const says = 'is given, though unknown properties are forbidden';
    return [{ rule: forbids, says, at, breaks: { at: site.at, keyword: forbids }, candidates: ['unknown'] }];
  }
  if (!isJsonObject(schema['properties'])) return [];
  const says = 'is given, unknown but allowed';
  return [{ rule: 'unknown-allowed', says, at, breaks: undefined, candidates: ['unknown'] }];
}

function counts(site: Site, value: JsonObject): Probe[] {
  const least = numberIn(site.schema, 'minProperties');
  const most = numberIn(site.schema, 'maxProperties');
  const probes: Probe[] = [];
  if (least !== undefined && least > 0) {
    probes.push(
      keeping(site, {
        rule: 'minProperties-at',
        says: `has exactly its minProperties ${least}`,
        candidates: withCount(value, least),
      }),
      breaking(site, 'minProperties', {
        rule: 'minProperties-below',
        says: `has one property fewer than its minProperties ${least}`,
        candidates: withCount(value, least - 1),
      }),
    );
  }
  if (most !== undefined && most <= mostProperties) {
    probes.push(
      keeping(site, {
        rule: 'maxProperties-at',
        says: `has exactly its maxProperties ${most}`,
        candidates: withCount(value, most),
      }),
      breaking(site, 'maxProperties', {
        rule: 'maxProperties-above',
        says: `has one property more than its maxProperties ${most}`,
        candidates: withCount(value, most + 1),
      }),
    );
  }
  return probes;
}

/** More would only bloat the case file. */
const mostProperties = 100;

function withCount(value: JsonObject, count: number): Json[] {
  const entries = Object.entries(value);
  if (count <= entries.length) {
    return [Object.fromEntries(entries.slice(0, count)), Object.fromEntries(entries.slice(entries.length - count))];
  }
  const [, sample = 'unknown'] = entries[0] ?? [];
  const more = Array.from({ length: count - entries.length }, (_, index) => [`${unknownName}${index + 1}`, sample]);
  return [{ ...value, ...Object.fromEntries(more) }];
}
