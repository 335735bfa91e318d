import { isObject } from '../../pointers.ts';
import { identify, isSame, type Pair, print, type SchemaChange } from './change.ts';
import { findKeyword, type View } from './view.ts';

/** The values that `enum` and `const` leave; `undefined` where any is allowed. */
export function readAllowed(view: View): unknown[] | undefined {
  const lists = [
    ...findKeyword(view, 'enum').flatMap(({ value, part }) => (Array.isArray(value) ? [{ values: value, part }] : [])),
    ...findKeyword(view, 'const').map(({ value, part }) => ({ values: [value], part })),
  ].map(({ values, part }): unknown[] => (part.orNull ? [...values, null] : values));
  const [first, ...others] = lists;
  if (first === undefined) return undefined;
  const left = others.reduce(intersect, first);
  return [...new Map(left.map((value) => [identify(value), value])).values()];
}

/** Changes of `enum` and `const`. Whether null is allowed is a matter of types. */
export function compareValues(pair: Pair): SchemaChange[] {
  const before = readAllowed(pair.old)?.filter((value) => value !== null);
  const after = readAllowed(pair.new)?.filter((value) => value !== null);
  const isConst = [pair.old, pair.new].every((view) => findKeyword(view, 'enum').length === 0);
  const here = placeValues(pair.new, 'new');
  const there = placeValues(pair.old, 'old');
  if (before === undefined && after === undefined) return [];
  if (before === undefined) {
    const sentence = `only ${listValues(after ?? [])} is allowed now`;
    return [{ name: isConst ? 'const-added' : 'became-enum', sentence, ...here }];
  }
  if (after === undefined) {
    const sentence = `only ${listValues(before)} was allowed, and any value is now`;
    return [{ name: isConst ? 'const-removed' : 'became-not-enum', sentence, ...there }];
  }
  const removed = without(before, after);
  const added = without(after, before);
  if (isConst && removed.length > 0 && added.length > 0) {
    return [{ name: 'const-changed', sentence: `it was ${print(before[0])} and is ${print(after[0])}`, ...here }];
  }
  return [
    ...removed.map((value): SchemaChange => ({
      name: 'enum-value-removed',
      sentence: `${print(value)} is not allowed any more`,
      ...here,
    })),
    ...added.map((value): SchemaChange => ({
      name: 'enum-value-added',
      sentence: `${print(value)} is allowed now`,
      ...here,
    })),
  ];
}

/** A default says what is taken where nothing is sent: it changes no set of values. */
export function compareDefaults(pair: Pair): SchemaChange[] {
  const [before] = findKeyword(pair.old, 'default');
  const [after] = findKeyword(pair.new, 'default');
  if (before === undefined && after === undefined) return [];
  if (after === undefined) {
    const sentence = `the default ${print(before?.value)} was removed`;
    return [{ name: 'default-value-removed', sentence, side: 'old', pointer: before?.pointer ?? '' }];
  }
  const place = { side: 'new', pointer: after.pointer } as const;
  if (before === undefined) {
    return [{ name: 'default-value-added', sentence: `the default is ${print(after.value)} now`, ...place }];
  }
  if (isSame(before.value, after.value)) return [];
  const sentence = `the default was ${print(before.value)} and is ${print(after.value)}`;
  return [{ name: 'default-value-changed', sentence, ...place }];
}

function intersect(values: readonly unknown[], others: readonly unknown[]): unknown[] {
  const both = new Set(others.map(identify));
  return values.filter((value) => both.has(identify(value)));
}

function without(values: readonly unknown[], others: readonly unknown[]): unknown[] {
  const left = new Set(others.map(identify));
  return values.filter((value) => !left.has(identify(value)));
}

function placeValues(view: View, side: 'old' | 'new'): Pick<SchemaChange, 'side' | 'pointer'> {
  const written = findKeyword(view, 'enum')[0] ?? findKeyword(view, 'const')[0];
  return { side, pointer: written?.pointer ?? view.pointer };
}

function listValues(values: readonly unknown[]): string {
  const shown = values.slice(0, 5).map((value) => (isObject(value) ? print(value) : JSON.stringify(value)));
  return shown.join(', ') + (values.length > shown.length ? ', …' : '');
}
