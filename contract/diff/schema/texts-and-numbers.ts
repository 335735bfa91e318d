import { isMultiple } from '../../multiples.ts';
import { isSame, type Pair, print, type SchemaChange } from './change.ts';
import { findKeyword, type View } from './view.ts';
import { typesOf } from './types.ts';

/** Formats of which every value fits another, too. */
const WITHIN: Readonly<Record<string, readonly string[]>> = { int32: ['int64'], float: ['double'] };

/** What a pattern is that any text fits. */
const ANYTHING = /^\^?\.\*\$?$/;

/** Changes of `pattern`, `format`, `multipleOf`, `uniqueItems` and what a text contains. */
export function compareTextsAndNumbers(pair: Pair): SchemaChange[] {
  const after = typesOf(pair.new);
  const has = (...types: Parameters<typeof after.has>[0][]): boolean =>
    types.some((type) => after.has(type) && typesOf(pair.old).has(type));
  return [
    ...(has('string') ? [...comparePatterns(pair), ...compareContents(pair)] : []),
    ...(has('string', 'integer', 'number') ? compareFormats(pair) : []),
    ...(has('integer', 'number') ? compareMultiples(pair) : []),
    ...(has('array') ? compareUniqueness(pair) : []),
  ];
}

function comparePatterns(pair: Pair): SchemaChange[] {
  const [before, after] = [pair.old, pair.new].map((view) =>
    findKeyword(view, 'pattern').filter(({ value }) => !ANYTHING.test(String(value))),
  );
  return compareDemands(before ?? [], after ?? [], 'pattern', 'the pattern');
}

function compareFormats(pair: Pair): SchemaChange[] {
  const [before, after] = [findKeyword(pair.old, 'format'), findKeyword(pair.new, 'format')];
  const [one, other] = [before[0], after[0]];
  if (one === undefined || other === undefined || before.length + after.length > 2) {
    return compareDemands(before, after, 'format', 'the format');
  }
  if (one.value === other.value) return [];
  const sentence = `the format was ${print(one.value)} and is ${print(other.value)}`;
  const [from, to] = [String(one.value), String(other.value)];
  const effect = WITHIN[to]?.includes(from) ? 'narrows' : WITHIN[from]?.includes(to) ? 'widens' : 'replaces';
  return [{ name: 'format-changed', effect, sentence, side: 'new', pointer: other.pointer }];
}

type Found = ReturnType<typeof findKeyword>;

/** Texts all of which have to fit. */
function compareDemands(before: Found, after: Found, demand: 'pattern' | 'format', what: string): SchemaChange[] {
  const gone = before.filter(({ value }) => !after.some((other) => other.value === value));
  const come = after.filter(({ value }) => !before.some((other) => other.value === value));
  const [removed, added] = [gone[0], come[0]];
  if (removed !== undefined && added !== undefined) {
    const sentence = `${what} was ${print(removed.value)} and is ${print(added.value)}`;
    return [{ name: `${demand}-changed`, sentence, side: 'new', pointer: added.pointer }];
  }
  return [
    ...come.map(({ value, pointer }): SchemaChange => ({
      name: `${demand}-added`,
      sentence: `${what} ${print(value)} is asked for now`,
      side: 'new',
      pointer,
    })),
    ...gone.map(({ value, pointer }): SchemaChange => ({
      name: `${demand}-removed`,
      sentence: `${what} ${print(value)} is not asked for any more`,
      side: 'old',
      pointer,
    })),
  ];
}

function compareMultiples(pair: Pair): SchemaChange[] {
  const [before, after] = [findKeyword(pair.old, 'multipleOf'), findKeyword(pair.new, 'multipleOf')];
  const [one, other] = [before[0], after[0]];
  if (one === undefined && other === undefined) return [];
  if (other === undefined) {
    const sentence = `it needs not be a multiple of ${one?.value} any more`;
    return [{ name: 'multiple-of-unset', sentence, side: 'old', pointer: one?.pointer ?? '' }];
  }
  const place = { side: 'new', pointer: other.pointer } as const;
  if (one === undefined) {
    return [{ name: 'multiple-of-set', sentence: `it must be a multiple of ${other.value} now`, ...place }];
  }
  const isTighter = before.every(({ value }) => after.some((wanted) => areMultiples(wanted.value, value)));
  const isLooser = after.every(({ value }) => before.some((wanted) => areMultiples(wanted.value, value)));
  if (isTighter && isLooser) return [];
  const name = isTighter ? 'multiple-of-specialized' : isLooser ? 'multiple-of-generalized' : 'multiple-of-changed';
  return [{ name, sentence: `it was a multiple of ${one.value} and is one of ${other.value}`, ...place }];
}

function areMultiples(value: unknown, of: unknown): boolean {
  return typeof value === 'number' && typeof of === 'number' && isMultiple(value, of);
}

function compareUniqueness(pair: Pair): SchemaChange[] {
  const find = (view: View) => findKeyword(view, 'uniqueItems').find(({ value }) => value === true);
  const [before, after] = [find(pair.old), find(pair.new)];
  if ((before === undefined) === (after === undefined)) return [];
  if (after === undefined) {
    const sentence = 'an item may stand in it twice now';
    return [{ name: 'unique-items-unset', sentence, side: 'old', pointer: before?.pointer ?? '' }];
  }
  const sentence = 'no item may stand in it twice any more';
  return [{ name: 'unique-items-set', sentence, side: 'new', pointer: after.pointer }];
}

const CONTENTS = [
  { keyword: 'contentEncoding', name: 'content-encoding-changed', what: 'the encoding' },
  { keyword: 'contentMediaType', name: 'content-media-type-changed', what: 'the media type' },
] as const;

function compareContents(pair: Pair): SchemaChange[] {
  return CONTENTS.flatMap(({ keyword, name, what }): SchemaChange[] => {
    const [before] = findKeyword(pair.old, keyword);
    const [after] = findKeyword(pair.new, keyword);
    if (isSame(before?.value, after?.value)) return [];
    const sentence = `${what} of the text was ${print(before?.value)} and is ${print(after?.value)}`;
    if (after === undefined) return [{ name, sentence, side: 'old', pointer: before?.pointer ?? '' }];
    return [{ name, sentence, side: 'new', pointer: after.pointer }];
  });
}
