import type { Pair, SchemaChange } from './change.ts';
import type { Bound } from './changes.ts';
import { type Type, typesOf } from './types.ts';
import { findKeyword, type View } from './view.ts';

/** A keyword that bounds the values of a type. */
interface BoundKeyword {
  keyword: string;
  bound: Bound;
  /** Below or above which values are refused. */
  end: 'lower' | 'upper';
  /** What leaves the same values as no bound. */
  idle?: number;
  what: string;
}

const COUNTS: Readonly<Partial<Record<Type, readonly BoundKeyword[]>>> = {
  string: [
    { keyword: 'minLength', bound: 'min-length', end: 'lower', idle: 0, what: 'the least length' },
    { keyword: 'maxLength', bound: 'max-length', end: 'upper', what: 'the greatest length' },
  ],
  array: [
    { keyword: 'minItems', bound: 'min-items', end: 'lower', idle: 0, what: 'the least number of items' },
    { keyword: 'maxItems', bound: 'max-items', end: 'upper', what: 'the greatest number of items' },
    {
      keyword: 'minContains',
      bound: 'min-contains',
      end: 'lower',
      idle: 1,
      what: 'the least number of items that fit "contains"',
    },
    {
      keyword: 'maxContains',
      bound: 'max-contains',
      end: 'upper',
      what: 'the greatest number of items that fit "contains"',
    },
  ],
  object: [
    {
      keyword: 'minProperties',
      bound: 'min-properties',
      end: 'lower',
      idle: 0,
      what: 'the least number of properties',
    },
    { keyword: 'maxProperties', bound: 'max-properties', end: 'upper', what: 'the greatest number of properties' },
  ],
};

const EXTREMES = [
  {
    end: 'lower',
    plain: 'minimum',
    exclusive: 'exclusiveMinimum',
    names: ['min', 'exclusive-min'],
    what: 'the minimum',
  },
  {
    end: 'upper',
    plain: 'maximum',
    exclusive: 'exclusiveMaximum',
    names: ['max', 'exclusive-max'],
    what: 'the maximum',
  },
] as const;

/** A bound as it holds: the tightest of those that are written. */
interface Limit {
  value: number;
  isExclusive: boolean;
  pointer: string;
}

/** Changes of the bounds of values that both versions allow. */
export function compareBounds(pair: Pair): SchemaChange[] {
  const after = typesOf(pair.new);
  const types = new Set([...typesOf(pair.old)].filter((type) => after.has(type)));
  const counts = Object.entries(COUNTS).flatMap(([type, keywords]) =>
    types.has(type as Type) ? keywords.flatMap((keyword) => compareCount(pair, keyword)) : [],
  );
  const numbers = types.has('integer') || types.has('number');
  return numbers ? [...counts, ...EXTREMES.flatMap((extreme) => compareExtreme(pair, extreme))] : counts;
}

function compareCount(pair: Pair, { keyword, bound, end, idle, what }: BoundKeyword): SchemaChange[] {
  const read = (view: View): Limit | undefined => {
    const limit = findTightest(findLimits(view, keyword, false), end);
    return limit?.value === idle ? undefined : limit;
  };
  return compareLimits(read(pair.old), read(pair.new), { end, idle, what, boundOf: () => bound });
}

function compareExtreme(pair: Pair, { end, plain, exclusive, names, what }: (typeof EXTREMES)[number]): SchemaChange[] {
  const read = (view: View): Limit | undefined => {
    const isWhole = !typesOf(view).has('number');
    const limits = [...findLimits(view, plain, false), ...findLimits(view, exclusive, true)];
    return findTightest(isWhole ? limits.map((limit) => roundLimit(limit, end)) : limits, end);
  };
  return compareLimits(read(pair.old), read(pair.new), {
    end,
    what,
    boundOf: ({ isExclusive }) => names[isExclusive ? 1 : 0],
  });
}

interface Limited extends Pick<BoundKeyword, 'end' | 'what'> {
  idle?: number | undefined;
  boundOf: (limit: Limit) => Bound;
}

function compareLimits(
  before: Limit | undefined,
  after: Limit | undefined,
  { end, idle = -Infinity, what, boundOf }: Limited,
): SchemaChange[] {
  if (after === undefined) {
    if (before === undefined) return [];
    const sentence = `${what} was ${printLimit(before)}, and is not bounded now`;
    const way = before.value < idle ? 'increased' : 'unset';
    return [{ name: `${boundOf(before)}-${way}`, sentence, side: 'old', pointer: before.pointer }];
  }
  const place = { side: 'new', pointer: after.pointer } as const;
  if (before === undefined) {
    const way = after.value < idle ? 'decreased' : 'set';
    return [{ name: `${boundOf(after)}-${way}`, sentence: `${what} is ${printLimit(after)} now`, ...place }];
  }
  if (before.value === after.value && before.isExclusive === after.isExclusive) return [];
  const isTighter = findTightest([before, after], end) === after;
  const way = isTighter === (end === 'lower') ? 'increased' : 'decreased';
  const sentence = `${what} was ${printLimit(before)} and is ${printLimit(after)}`;
  return [{ name: `${boundOf(after)}-${way}`, sentence, ...place }];
}

function findLimits(view: View, keyword: string, isExclusive: boolean): Limit[] {
  return findKeyword(view, keyword).flatMap(({ value, pointer }) =>
    typeof value === 'number' ? [{ value, isExclusive, pointer }] : [],
  );
}

function findTightest(limits: readonly Limit[], end: BoundKeyword['end']): Limit | undefined {
  const sign = end === 'lower' ? 1 : -1;
  return limits.toSorted((a, b) => sign * (b.value - a.value) || Number(b.isExclusive) - Number(a.isExclusive))[0];
}

/** The same for whole numbers: above 0 is from 1. */
function roundLimit({ value, isExclusive, pointer }: Limit, end: BoundKeyword['end']): Limit {
  const inner = end === 'lower' ? Math.ceil(value) : Math.floor(value);
  const isNext = isExclusive && inner === value;
  return { value: isNext ? value + (end === 'lower' ? 1 : -1) : inner, isExclusive: false, pointer };
}

function printLimit({ value, isExclusive }: Limit): string {
  return isExclusive ? `${value} (exclusive)` : String(value);
}
