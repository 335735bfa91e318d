import { isObject, pointerTo } from '../../pointers.ts';
import { judgeRemoval, readLifecycle } from '../lifecycle.ts';
import type { Direction } from '../levels.ts';
import { isSame, type Pair, print, type SchemaChange } from './change.ts';
import type { PropertyChange } from './changes.ts';
import type { Comparison, Step } from './comparison.ts';
import { findMark, listNames, type Property, readMap, readOthers, readProperty } from './properties.ts';
import { typesOf } from './types.ts';
import { findKeyword, type View } from './view.ts';

/** The mark of what the other direction alone holds. */
const HIDDEN = { request: 'readOnly', response: 'writeOnly' } as const;

/** Changes of the properties of objects. */
export function compareObjects(comparison: Comparison, pair: Pair): Step {
  if (!typesOf(pair.old).has('object') || !typesOf(pair.new).has('object')) return { changes: [], inner: [] };
  const names = new Set([...listNames(pair.old), ...listNames(pair.new)]);
  const steps = [
    ...[...names].map((name) => compareProperty(comparison, pair, name)),
    compareOthers(comparison, pair),
    comparePatterns(comparison, pair),
  ];
  return {
    changes: [...steps.flatMap(({ changes }) => changes), ...compareDependencies(pair)],
    inner: steps.flatMap(({ inner }) => inner),
  };
}

function compareProperty(comparison: Comparison, pair: Pair, name: string): Step {
  const { documents, direction } = comparison;
  const before = readProperty(documents.old, pair.old, name);
  const after = readProperty(documents.new, pair.new, name);
  if (!after.isKnown) return removeProperty(comparison, pair, name, before, after);
  if (!before.isKnown) return addProperty(comparison, pair, name, before, after);
  const isHidden = [before, after].every(({ view }) => findMark(view, HIDDEN[direction]) !== undefined);
  return {
    changes: [...compareNeed(comparison, name, before, after), ...compareMarks(direction, name, before, after)],
    inner: [{ old: before.view, new: after.view, isSilent: isHidden }],
  };
}

function removeProperty(comparison: Comparison, pair: Pair, name: string, before: Property, after: Property): Step {
  const { direction, documents, today } = comparison;
  const isHidden = findMark(before.view, HIDDEN[direction]) !== undefined;
  const isRefused = after.view.isFalse;
  const removal = judgeRemoval(readLifecycle(before.view.parts[0]?.schema), today);
  const place = { side: 'old', pointer: before.pointer } as const;
  const sentence = `the property ${print(name)} was removed${isRefused && direction === 'request' ? ', and is refused' : ''}`;
  const others = readOthers(documents.new, pair.new);
  const inner = others.isWritten && !isRefused ? [{ old: before.view, new: after.view, isSilent: isHidden }] : [];
  const change = (rule: PropertyChange, more: Partial<SchemaChange> = {}): Step => ({
    changes: [{ name: rule, sentence, ...place, ...more }],
    inner,
  });
  if (direction === 'request') {
    if (removal === 'told') return change('request-property-removed-with-deprecation');
    if (removal === 'early') return change('request-property-removed-before-sunset');
    return change('request-property-removed', isHidden ? { effect: 'none' } : isRefused ? { effect: 'narrows' } : {});
  }
  if (isHidden) return change(`response-${need(before)}-write-only-property-removed`);
  if (!before.isRequired) return change('response-optional-property-removed');
  if (removal === 'told') return change('response-required-property-removed-with-deprecation');
  return change(
    removal === 'early' ? 'response-required-property-removed-before-sunset' : 'response-required-property-removed',
  );
}

function addProperty(comparison: Comparison, pair: Pair, name: string, before: Property, after: Property): Step {
  const { direction, documents } = comparison;
  const isHidden = findMark(after.view, HIDDEN[direction]) !== undefined;
  const others = readOthers(documents.old, pair.old);
  // What any property might be, this one might be: what a contract leaves open without a word is nothing that it tells of.
  const inner =
    others.isWritten && !before.view.isFalse ? [{ old: before.view, new: after.view, isSilent: isHidden }] : [];
  const change = (rule: PropertyChange, sentence: string, more: Partial<SchemaChange> = {}): Step => ({
    changes: [{ name: rule, sentence, side: 'new', pointer: after.pointer, ...more }],
    inner,
  });
  const sentence = `the property ${print(name)} is new`;
  if (direction === 'request') {
    if (!after.isRequired || isHidden) {
      const effect = isHidden ? 'none' : before.view.isFalse ? 'widens' : 'tells';
      return change('new-optional-request-property', sentence, { effect });
    }
    const rule = hasDefault(after) ? 'new-required-request-property-with-default' : 'new-required-request-property';
    return change(rule, `${sentence}, and required`);
  }
  if (isHidden) return change(`response-${need(after)}-write-only-property-added`, sentence);
  if (!before.view.isFalse) return change(`response-${need(after)}-property-added`, sentence);
  const told = `${sentence}, where no others were to be expected`;
  return change(`response-${need(after)}-property-added`, told, { effect: 'unsure' });
}

function compareNeed({ direction }: Comparison, name: string, before: Property, after: Property): SchemaChange[] {
  if (before.isRequired === after.isRequired) return [];
  const isHidden = findMark(after.view, HIDDEN[direction]) !== undefined;
  const place = after.isRequired
    ? ({ side: 'new', pointer: after.pointer } as const)
    : ({ side: 'old', pointer: before.pointer } as const);
  const change = (rule: PropertyChange): SchemaChange => ({
    name: rule,
    ...(isHidden && direction === 'request' ? { effect: 'none' } : {}),
    sentence: `the property ${print(name)} ${after.isRequired ? 'is required now' : 'is not required any more'}`,
    ...place,
  });
  if (direction === 'response') {
    const way = after.isRequired ? 'required' : 'optional';
    return [change(isHidden ? `response-write-only-property-became-${way}` : `response-property-became-${way}`)];
  }
  if (!after.isRequired) return [change('request-property-became-optional')];
  const rule = hasDefault(after) ? 'request-property-became-required-with-default' : 'request-property-became-required';
  return [change(rule)];
}

const MARKS = [
  { keyword: 'readOnly', word: 'read-only' },
  { keyword: 'writeOnly', word: 'write-only' },
] as const;

function compareMarks(direction: Direction, name: string, before: Property, after: Property): SchemaChange[] {
  return MARKS.flatMap(({ keyword, word }): SchemaChange[] => {
    const [was, is] = [findMark(before.view, keyword), findMark(after.view, keyword)];
    if ((was === undefined) === (is === undefined)) return [];
    if (is === undefined) {
      const sentence = `the property ${print(name)} is not ${keyword} any more`;
      const place = { side: 'old', pointer: was ?? before.pointer } as const;
      return [{ name: `${direction}-${need(after)}-property-became-not-${word}`, sentence, ...place }];
    }
    const sentence = `the property ${print(name)} is ${keyword} now`;
    return [{ name: `${direction}-${need(before)}-property-became-${word}`, sentence, side: 'new', pointer: is }];
  });
}

/** Properties that nobody described. */
function compareOthers(comparison: Comparison, pair: Pair): Step {
  const { documents } = comparison;
  const [before, after] = [readOthers(documents.old, pair.old), readOthers(documents.new, pair.new)];
  if (before.view.isFalse === after.view.isFalse)
    return { changes: [], inner: [{ old: before.view, new: after.view }] };
  const change: SchemaChange = after.view.isFalse
    ? {
        name: 'additional-properties-closed',
        sentence: 'properties that are not described are refused now',
        side: 'new',
        pointer: after.view.pointer,
      }
    : {
        name: 'additional-properties-opened',
        sentence: 'properties that are not described are allowed now',
        side: 'old',
        pointer: before.view.pointer,
      };
  return { changes: [change], inner: [] };
}

function comparePatterns({ documents, views }: Comparison, pair: Pair): Step {
  const [before, after] = [readPatterns(pair.old), readPatterns(pair.new)];
  const patterns = new Set([...before.keys(), ...after.keys()]);
  const steps = [...patterns].map((pattern): Step => {
    const [was, is] = [before.get(pattern), after.get(pattern)];
    if (was !== undefined && is !== undefined) {
      return { changes: [], inner: [{ old: views.old(was), new: views.new(is) }] };
    }
    if (is === undefined) {
      const others = readOthers(documents.new, pair.new).view;
      const sentence = `properties that fit the pattern ${print(pattern)} are not described any more`;
      const change: SchemaChange = {
        name: 'pattern-property-removed',
        ...(others.isFalse ? { effect: 'narrows' as const } : {}),
        sentence,
        side: 'old',
        pointer: was?.pointer ?? '',
      };
      return {
        changes: [change],
        inner: was === undefined || others.isFalse ? [] : [{ old: views.old(was), new: others }],
      };
    }
    const isWider = readOthers(documents.old, pair.old).view.isFalse;
    const sentence = `properties that fit the pattern ${print(pattern)} are described now`;
    const more = isWider ? { effect: 'widens' as const } : {};
    return {
      changes: [{ name: 'pattern-property-added', ...more, sentence, side: 'new', pointer: is.pointer }],
      inner: [],
    };
  });
  return { changes: steps.flatMap(({ changes }) => changes), inner: steps.flatMap(({ inner }) => inner) };
}

function readPatterns(view: View): Map<string, { value: unknown; pointer: string }> {
  return new Map(
    view.parts.flatMap((part) =>
      Object.entries(readMap(part, 'patternProperties')).map(
        ([pattern, value]): [string, { value: unknown; pointer: string }] => [
          pattern,
          { value, pointer: pointerTo(part.pointer, 'patternProperties', pattern) },
        ],
      ),
    ),
  );
}

/** Properties that ask for others. */
function compareDependencies(pair: Pair): SchemaChange[] {
  const read = (view: View) =>
    new Map(
      findKeyword(view, 'dependentRequired').flatMap(({ value, pointer }) =>
        Object.entries(isObject(value) ? value : {}).map(
          ([name, needed]): [string, { needed: unknown[]; pointer: string }] => [
            name,
            { needed: [needed].flat(), pointer: pointerTo(pointer, name) },
          ],
        ),
      ),
    );
  const [before, after] = [read(pair.old), read(pair.new)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): SchemaChange[] => {
    const [was, is] = [before.get(name), after.get(name)];
    const gone = (was?.needed ?? []).filter((one) => is?.needed.includes(one) !== true);
    const come = (is?.needed ?? []).filter((one) => was?.needed.includes(one) !== true);
    if (gone.length + come.length === 0 || isSame(gone, come)) return [];
    const way = gone.length === 0 ? 'added' : come.length === 0 ? 'removed' : 'changed';
    const sentence = `with the property ${print(name)} come ${print(is?.needed ?? [])} instead of ${print(was?.needed ?? [])}`;
    const place =
      is === undefined
        ? ({ side: 'old', pointer: was?.pointer ?? '' } as const)
        : ({ side: 'new', pointer: is.pointer } as const);
    return [{ name: `dependent-required-${way}`, sentence, ...place }];
  });
}

function need({ isRequired }: Property): 'required' | 'optional' {
  return isRequired ? 'required' : 'optional';
}

function hasDefault({ view }: Property): boolean {
  return findKeyword(view, 'default').length > 0;
}
