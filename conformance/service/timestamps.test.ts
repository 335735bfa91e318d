import { describe, expect, it } from 'vitest';
import { describeError, hasSeconds, isTimestamp, parseTimestamp } from './timestamps.ts';

const MOMENT = Date.UTC(2026, 0, 2, 3, 4, 5);

describe('a timestamp', () => {
  it.each([
    '2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05.678Z',
    '2026-01-02T03:04:05.678901+00:00',
    '2026-01-02T05:04:05+0200',
    '2026-01-02T03:04:05+00',
    '2026-01-01T22:04:05-05:00',
    '2026-01-02 03:04:05 UTC',
    '2026-01-02 03:04:05',
    'Fri, 02 Jan 2026 03:04:05 GMT',
    'Fri Jan 02 2026 03:04:05 GMT+0000 (Coordinated Universal Time)',
    '1767323045',
    '1767323045000',
    '1767323045000000',
  ])('is read: %s', (text) => {
    expect(Math.floor((parseTimestamp(text) ?? Number.NaN) / 1_000) * 1_000).toBe(MOMENT);
  });

  it.each([
    '',
    'yesterday',
    '02/01/2026 03:04',
    '2026-01-02',
    '20260102T030405Z',
    '46024.127',
    '638715710450000000',
    '7',
  ])('is not guessed: %j', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it.each(['02/01/2026 03:04', '2/1/2026, 3:4', '2026-01-02', '20260102T030405Z', '46024.127', 'Jan 2, 2026'])(
    'may leave doubt: %j',
    (text) => expect(isTimestamp(text)).toBe(true),
  );

  it.each([
    '',
    'yesterday',
    'just now',
    '5 minutes ago',
    'Invalid Date',
    'true',
    'a12345@b.example',
    '07:30:00',
    '7:30:00.123 PM',
  ])('is something else: %j', (text) => expect(isTimestamp(text)).toBe(false));

  it.each([
    ['2026-01-02T03:04:00Z', true],
    ['1767323045', true],
    ['Fri, 02 Jan 2026 03:04:00 GMT', true],
    ['2026-01-02T03:04Z', false],
    ['2026-01-02', false],
  ])('is exact to the second or not: %s', (text, exact) => expect(hasSeconds(text)).toBe(exact));

  it.each(['+58000-03-01T03:04:05Z', '58000-03-01T03:04:05.678Z', '+058000-03-01 03:04:05'])(
    'may have a year of more than four digits: %s',
    (text) => expect(new Date(parseTimestamp(text) ?? Number.NaN).getUTCFullYear()).toBe(58_000),
  );

  it.each(['2026-00-02T03:04:05Z', '2026-13-02T03:04:05Z', '2026-01-32 03:04:05'])('of no day is none: %s', (text) =>
    expect(isTimestamp(text)).toBe(false),
  );

  const YEAR_MINUTES = 60 * 24 * 365;

  it.each([
    { minutes: 0, off: undefined },
    { minutes: 1, off: undefined },
    { minutes: 120, off: '2 hours' },
    { minutes: 121, off: '2 hours' },
    { minutes: -300, off: '-5 hours' },
    { minutes: 345, off: '5.75 hours' },
    { minutes: 8, off: undefined },
    { minutes: 60 * 24, off: '24 hours' },
    { minutes: -60 * 25, off: '-1 days' },
    { minutes: -YEAR_MINUTES, off: '-365 days' },
    { minutes: 8, ahead: 0, off: '8 minutes' },
    { minutes: 8, ahead: 8, off: undefined },
    { minutes: 8, ahead: 3, off: undefined },
    { minutes: -YEAR_MINUTES, ahead: -YEAR_MINUTES, off: undefined },
    { minutes: -YEAR_MINUTES, ahead: 0, off: '-365 days' },
    { minutes: 120 - YEAR_MINUTES, ahead: -YEAR_MINUTES, off: '2 hours' },
    { minutes: 0, ahead: 120, off: undefined },
  ])('that is $minutes minutes off, of a clock that says it is $ahead ahead', ({ minutes, ahead, off }) => {
    const happened = { from: MOMENT, to: MOMENT, ahead: ahead === undefined ? undefined : ahead * 60_000 };
    expect(describeError(MOMENT + minutes * 60_000, happened)).toBe(off);
  });

  it('is right at any time while something happened', () => {
    const happened = { from: MOMENT, to: MOMENT + 600_000, ahead: 0 };
    expect([0, 300_000, 600_000].map((after) => describeError(MOMENT + after, happened))).toEqual(
      Array(3).fill(undefined),
    );
    expect(describeError(MOMENT + 1_200_000, happened)).toBe('10 minutes');
  });
});
