import { describe, expect, it } from 'vitest';
import { CouldNotRun } from '../could-not-run.ts';
import { type Selectable, type Selection, checkSelection, describeSelection, isSelected } from './selection.ts';

const CASES: readonly Selectable[] = [
  { id: 'creation/url', clauses: ['BRANCH-URL-1'], level: 'required' },
  { id: 'creation/url-of-another', clauses: ['BRANCH-URL-10'], level: 'profile' },
  { id: 'creation/url/port', clauses: ['NAME-1'], level: 'required' },
  { id: 'open/size', clauses: ['LIMITS-1', 'NAME-1'], level: 'observed' },
  { id: 'vectors/scalars/true', alias: 'scalars/true', clauses: ['EXTRACTION-1'], level: 'profile' },
];

function choose(selection: Selection): string[] {
  return CASES.filter((one) => isSelected(one, selection)).map(({ id }) => id);
}

describe('a pattern means', () => {
  it.each([
    ['creation/url', ['creation/url', 'creation/url/port']],
    ['creation/url/', ['creation/url', 'creation/url/port']],
    ['creation', ['creation/url', 'creation/url-of-another', 'creation/url/port']],
    ['creation/u', []],
    ['url', []],
    ['BRANCH-URL-1', ['creation/url']],
    ['BRANCH-URL', ['creation/url', 'creation/url-of-another']],
    ['NAME-1', ['creation/url/port', 'open/size']],
    ['*url*', ['creation/url', 'creation/url-of-another', 'creation/url/port']],
    ['creation/url-*', ['creation/url-of-another']],
    ['*.r', []],
    ['scalars/', ['vectors/scalars/true']],
    ['vectors/scalars', ['vectors/scalars/true']],
  ])('%s: %j', (pattern, ids) => {
    expect(choose({ only: [pattern] })).toEqual(ids);
  });
});

describe('a case', () => {
  it('must meet one of the patterns, and none of those that exclude', () => {
    expect(choose({ only: ['open', 'BRANCH-URL-1'] })).toEqual(['creation/url', 'open/size']);
    expect(choose({ exclude: ['creation', 'scalars'] })).toEqual(['open/size']);
    expect(choose({ only: ['creation'], exclude: ['NAME-1'] })).toEqual(['creation/url', 'creation/url-of-another']);
  });

  it('must be of one of the levels, and have failed before', () => {
    expect(choose({ levels: ['observed', 'profile'], exclude: ['vectors'] })).toEqual([
      'creation/url-of-another',
      'open/size',
    ]);
    expect(choose({ failedBefore: ['open/size', 'gone/since'] })).toEqual(['open/size']);
    expect(choose({})).toHaveLength(CASES.length);
  });
});

it('a pattern that means nothing is refused, with those that are like it', () => {
  expect(() => checkSelection({ only: ['creation'], exclude: ['NAME-1'] }, CASES)).not.toThrow();
  for (const selection of [{ only: ['creation', 'Url'] }, { exclude: ['Url'] }]) {
    expect(() => checkSelection(selection, CASES)).toThrow(CouldNotRun);
    expect(() => checkSelection(selection, CASES)).toThrow(
      'No case has "Url" as its id, as the beginning of it, or as a clause. There are creation/url, BRANCH-URL-1, creation/url-of-another, …; "*Url*" means them all.',
    );
  }
  expect(() => checkSelection({ only: ['nowhere'] }, CASES)).toThrow(/ --list shows them\.$/);
});

it('a selection has words', () => {
  const selection: Selection = { only: ['a', 'b'], exclude: ['c'], levels: ['required'], failedBefore: ['a/b'] };
  expect(describeSelection(selection)).toBe('of the level required that failed before with "a" or "b" without "c"');
});
