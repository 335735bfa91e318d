import { type Probe, type ProbesOf, breaking, keeping } from '../mutation.ts';
import { numberIn, textIn, typesOf } from '../schema-object.ts';
import type { Site } from '../schema-location.ts';

/** The edges of `minimum`, `maximum` and their exclusive forms, and steps beside `multipleOf`. */
export const numberProbes: ProbesOf = (site) => {
  if (typeof site.value !== 'number') return [];
  const bounds = [
    ...inclusive(site, 'minimum', 'below', -1),
    ...inclusive(site, 'maximum', 'above', 1),
    ...exclusive(site, 'exclusiveMinimum', 'above', 1),
    ...exclusive(site, 'exclusiveMaximum', 'below', -1),
  ];
  return [...bounds, ...multiples(site, site.value), ...widths(site)];
};

function inclusive(site: Site, keyword: string, outside: string, direction: number): Probe[] {
  const bound = numberIn(site.schema, keyword);
  if (bound === undefined) return [];
  const past = steps(site).map((step) => rounded(bound + direction * step));
  return [
    keeping(site, { rule: `${keyword}-at`, says: `is ${bound}, exactly its ${keyword}`, candidates: [bound] }),
    breaking(site, keyword, {
      rule: `${keyword}-${outside}`,
      says: `is ${outside} its ${keyword} ${bound}`,
      candidates: past,
    }),
  ];
}

function exclusive(site: Site, keyword: string, inside: string, direction: number): Probe[] {
  const bound = numberIn(site.schema, keyword);
  if (bound === undefined) return [];
  const within = steps(site).map((step) => rounded(bound + direction * step));
  return [
    keeping(site, {
      rule: `${keyword}-${inside}`,
      says: `is just ${inside} its ${keyword} ${bound}`,
      candidates: within,
    }),
    breaking(site, keyword, {
      rule: `${keyword}-at`,
      says: `is ${bound}, which ${keyword} excludes`,
      candidates: [bound],
    }),
  ];
}

function multiples(site: Site, value: number): Probe[] {
  const step = numberIn(site.schema, 'multipleOf');
  if (step === undefined) return [];
  const integer = typesOf(site.schema).includes('integer');
  return [
    keeping(site, {
      rule: 'multipleOf-next',
      says: `is another multiple of ${step}`,
      candidates: [rounded(value + step), rounded(value - step)],
    }),
    breaking(site, 'multipleOf', {
      rule: 'multipleOf-between',
      says: `is not a multiple of ${step}`,
      candidates: integer ? [value + 1, value - 1] : [rounded(value + step / 2), rounded(value - step / 2)],
    }),
  ];
}

/** `format: int32` is a range of its own. */
function widths(site: Site): Probe[] {
  if (textIn(site.schema, 'format') !== 'int32') return [];
  return [
    breaking(site, 'format', {
      rule: 'format-int32',
      says: 'does not fit into 32 bits',
      candidates: [2 ** 31, -(2 ** 31) - 1],
    }),
  ];
}

function steps({ schema }: Site): number[] {
  const multiple = numberIn(schema, 'multipleOf');
  if (multiple !== undefined) return [multiple, multiple * 2];
  return typesOf(schema).includes('integer') ? [1, 2] : [0.01, 0.5, 1];
}

/** Without the dust of binary fractions, so that the case file stays readable. */
function rounded(value: number): number {
  return Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
}
