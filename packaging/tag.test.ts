import { describe, expect, it } from 'vitest';
import { compareTags, parseTag } from './tag.ts';

describe('a tag', () => {
  it.each(['0.1.0', '1.2.3', '10.20.30', '1.2.3-rc.1', '1.0.0-alpha'])('can be %s', (tag) => {
    expect(parseTag(tag)).toBe(tag);
  });

  it.each([
    '',
    '1',
    '1.2',
    'v1.2.3',
    '1.2.3.4',
    '01.2.3',
    '1.2.3-',
    '1.2.3-rc..1',
    '1.2.3+build',
    '../1.2.3',
    '1.2.3 ',
  ])('can not be "%s"', (tag) => {
    expect(() => parseTag(tag)).toThrow('A tag is a version such as 1.2.3 or 1.2.3-rc.1.');
  });

  it('is not that of a snapshot, which would change', () => {
    expect(() => parseTag('1.2.3-SNAPSHOT')).toThrow('A release never changes');
  });
});

it('orders tags by age', () => {
  const tags = ['0.9.0', '0.10.0', '1.0.0-alpha', '1.0.0-rc.2', '1.0.0-rc.10', '1.0.0', '1.0.1'];
  expect(tags.toReversed().toSorted(compareTags)).toEqual(tags);
});
