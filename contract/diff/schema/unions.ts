import type { Located } from '../../contract.ts';
import { isObject } from '../../pointers.ts';
import type { Effect } from '../levels.ts';
import { areApart } from './apart.ts';
import { isSame, type Pair, print, type SchemaChange } from './change.ts';
import type { Comparison, Inner, Step } from './comparison.ts';
import { readValuesOf } from './discriminators.ts';
import { type Group, type View, withBranch } from './view.ts';

/** What is known of alternatives is all there is to know where they came or went: the rest was compared with them. */
export interface UnionStep extends Step {
  isWhole: boolean;
}

const WORDS = { oneOf: 'one-of', anyOf: 'any-of' } as const;

/** Changes of `oneOf` and `anyOf`. The order of alternatives does not matter, nor do the names of schemas. */
export function compareUnions(comparison: Comparison, pair: Pair): UnionStep {
  const [before, after] = [pair.old.groups, pair.new.groups];
  const count = Math.min(before.length, after.length);
  const [gone, come] = [before[count], after[count]];
  if (come !== undefined) return { ...wrap(comparison, pair, come), isWhole: true };
  if (gone !== undefined) return { ...unwrap(comparison, pair, gone), isWhole: true };
  const steps = before.flatMap((group, index) => {
    const other = after[index];
    return other === undefined ? [] : [compareGroups(comparison, group, other)];
  });
  return {
    changes: steps.flatMap(({ changes }) => changes),
    inner: steps.flatMap(({ inner }) => inner),
    isWhole: false,
  };
}

/** There are alternatives now where there were none. */
function wrap(comparison: Comparison, pair: Pair, group: Group): Step {
  const word = WORDS[group.kind];
  const pairs = group.branches.map((branch) => ({
    old: pair.old,
    new: withBranch(comparison.documents.new, pair.new, group, branch),
  }));
  const isPreserved = pairs.some((one) => !comparison.narrows(one));
  const isWider = pairs.some((one) => comparison.widens(one));
  const mayOverlap =
    group.kind === 'oneOf' && !areAllApart(group.branches.map((branch) => comparison.views.new(branch)));
  const place = { side: 'new', pointer: group.pointer } as const;
  if (isPreserved) {
    const effect: Effect = mayOverlap ? 'unsure' : isWider ? 'widens' : 'none';
    const sentence = 'there are alternatives now, of which one is what it was';
    return { changes: [{ name: `wrapped-in-${word}-original-preserved`, effect, sentence, ...place }], inner: [] };
  }
  const sentence = 'there are alternatives now, of which none allows all that was allowed';
  return {
    changes: [{ name: `wrapped-in-${word}`, effect: isWider ? 'replaces' : 'narrows', sentence, ...place }],
    inner: [],
  };
}

/** There are no alternatives any more. */
function unwrap(comparison: Comparison, pair: Pair, group: Group): Step {
  const pairs = group.branches.map((branch) => ({
    old: withBranch(comparison.documents.old, pair.old, group, branch),
    new: pair.new,
  }));
  const isNarrower = pairs.some((one) => comparison.narrows(one));
  const isWider = pairs.every((one) => comparison.widens(one));
  const isSure = pairs.some((one) =>
    comparison.compare(one).some(({ effect }) => ['narrows', 'replaces'].includes(effect)),
  );
  const mayOverlap =
    group.kind === 'oneOf' && !areAllApart(group.branches.map((branch) => comparison.views.old(branch)));
  const widening: Effect = isWider ? 'widens' : mayOverlap ? 'unsure' : 'none';
  const narrowing: Effect = isWider || mayOverlap ? 'replaces' : 'narrows';
  const effect = isNarrower ? (isSure ? narrowing : 'unsure') : widening;
  const sentence = isNarrower
    ? 'there are no alternatives any more, and what is left does not allow all that they did'
    : 'there are no alternatives any more, and what is left allows all that they did';
  const change: SchemaChange = {
    name: `unwrapped-from-${WORDS[group.kind]}`,
    effect,
    sentence,
    side: 'old',
    pointer: group.pointer,
  };
  return { changes: [change], inner: [] };
}

/** Two versions of one alternative. */
interface Match {
  old: Branch;
  new: Branch;
}

interface Branch extends Located<unknown> {
  view: View;
  /** What a discriminator, or its name, calls it. */
  names: readonly string[];
}

function compareGroups(comparison: Comparison, before: Group, after: Group): Step {
  const [old, now] = [
    readBranches(before, comparison.views.old, comparison.documents.old),
    readBranches(after, comparison.views.new, comparison.documents.new),
  ];
  const { matches, gone, come } = matchBranches(comparison, old, now);
  const inner: Inner[] = matches.map((match) => ({ old: match.old.view, new: match.new.view }));
  const removed = gone.map((branch) => {
    const isCovered = isFree(branch) && now.some((other) => !comparison.narrows({ old: branch.view, new: other.view }));
    return describeBranch(branch, after, 'removed', isCovered);
  });
  const added = come.map((branch) => {
    const isCovered = isFree(branch) && old.some((other) => !comparison.widens({ old: other.view, new: branch.view }));
    return describeBranch(branch, after, 'added', isCovered);
  });
  return {
    changes: [
      ...removed,
      ...added,
      ...matches.flatMap(compareNames),
      ...findOverlap(comparison, { before, after, old, now, inner, gone, come }),
    ],
    inner,
  };
}

/** @param isCovered - Another alternative allows the same. */
function describeBranch(branch: Branch, { kind }: Group, way: 'added' | 'removed', isCovered: boolean): SchemaChange {
  const more = isCovered ? '; another allows the same' : '';
  return {
    name: `${WORDS[kind]}-${way}`,
    ...(isCovered ? { effect: 'none' } : {}),
    sentence: `the alternative ${nameBranch(branch)} was ${way}${more}`,
    side: way === 'added' ? 'new' : 'old',
    pointer: branch.pointer,
  };
}

/** No discriminator names it, so that its values may fit another as well. */
function isFree({ names }: Branch): boolean {
  return names.length === 0;
}

/** An alternative by which a discriminator is told of other values than before. */
function compareNames({ old, new: after }: Match): SchemaChange[] {
  if (isFree(old) || isFree(after)) return [];
  const change = (name: 'deleted' | 'added', value: string): SchemaChange => {
    const isAdded = name === 'added';
    return {
      name: `discriminator-mapping-${name}`,
      sentence: `${print(value)} of the discriminator means ${isAdded ? 'an' : 'no'} alternative ${isAdded ? 'now' : 'any more'}`,
      ...(isAdded ? { side: 'new' as const, pointer: after.pointer } : { side: 'old' as const, pointer: old.pointer }),
    };
  };
  return [
    ...old.names.filter((value) => !after.names.includes(value)).map((value) => change('deleted', value)),
    ...after.names.filter((value) => !old.names.includes(value)).map((value) => change('added', value)),
  ];
}

interface Compared {
  before: Group;
  after: Group;
  old: readonly Branch[];
  now: readonly Branch[];
  inner: readonly Inner[];
  gone: readonly Branch[];
  come: readonly Branch[];
}

/** A value of `oneOf` fits one alternative only: where they come to overlap fewer values are allowed, and more where they stop to. */
function findOverlap(comparison: Comparison, { before, after, old, now, inner, gone, come }: Compared): SchemaChange[] {
  const place = { side: 'new', pointer: after.pointer } as const;
  const overlaps = (group: Group, branches: readonly Branch[]): boolean =>
    group.kind === 'oneOf' && !isDecided(branches) && !areAllApart(branches.map(({ view }) => view));
  if (!overlaps(before, old) && !overlaps(after, now)) return [];
  const isTheSame = before.kind === after.kind && come.length + gone.length === 0;
  if (isTheSame && inner.every((pair) => isUnchanged(comparison, pair))) return [];
  const sentence =
    'the alternatives are not told apart, so that values which fit several of them are others than before';
  return [{ name: 'one-of-alternatives-overlap', sentence, ...place }];
}

/** What a discriminator names is told apart by it. */
function isDecided(branches: readonly Branch[]): boolean {
  const names = branches.flatMap((branch) => branch.names);
  return branches.every((branch) => branch.names.length > 0) && new Set(names).size === names.length;
}

function areAllApart(views: readonly View[]): boolean {
  return views.every((view, index) => views.slice(index + 1).every((other) => areApart(view, other)));
}

function readBranches(
  group: Group,
  view: (schema: Located<unknown>) => View,
  document: Comparison['documents']['old'],
): Branch[] {
  const named = readValuesOf(document, group.owner);
  return group.branches.map((branch) => ({
    ...branch,
    view: view(branch),
    names: named.get(referenceOf(branch) ?? '') ?? [],
  }));
}

/** Finds the two versions of each alternative: by what it is called, else by what it allows. */
function matchBranches(comparison: Comparison, old: readonly Branch[], now: readonly Branch[]) {
  const matches: Match[] = [];
  let [gone, come] = [[...old], [...now]];
  const match = (isMatch: (one: Branch, other: Branch) => boolean): void => {
    for (const one of gone) {
      const other = come.find((branch) => isMatch(one, branch));
      if (other === undefined) continue;
      matches.push({ old: one, new: other });
      gone = gone.filter((branch) => branch !== one);
      come = come.filter((branch) => branch !== other);
    }
  };
  match((one, other) => isSame(one.value, other.value));
  match((one, other) => one.names.some((name) => other.names.includes(name)));
  match((one, other) => referenceOf(one) !== undefined && referenceOf(one) === referenceOf(other));
  match((one, other) => isUnchanged(comparison, { old: one.view, new: other.view }));
  match((one, other) => titleOf(one) !== undefined && titleOf(one) === titleOf(other));
  if (gone.length === 1 && come.length === 1) match(() => true);
  return { matches, gone, come };
}

function isUnchanged(comparison: Comparison, pair: Pair): boolean {
  return !comparison.narrows(pair) && !comparison.widens(pair);
}

function referenceOf({ value }: Located<unknown>): string | undefined {
  return isObject(value) && typeof value['$ref'] === 'string' ? value['$ref'] : undefined;
}

function titleOf({ value }: Located<unknown>): string | undefined {
  return isObject(value) && typeof value['title'] === 'string' ? value['title'] : undefined;
}

function nameBranch(branch: Branch): string {
  const name = referenceOf(branch)?.split('/').at(-1) ?? titleOf(branch);
  return name === undefined ? `number ${Number(branch.pointer.split('/').at(-1)) + 1}` : `"${name}"`;
}
