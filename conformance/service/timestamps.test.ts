import { describe, expect, it } from 'vitest';
import { hasSeconds, isTimestamp, measureZoneOffset, parseTimestamp } from './timestamps.ts';

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

  it.each([
    { minutes: 0, hours: 0 },
    { minutes: 1, hours: 0 },
    { minutes: 120, hours: 2 },
    { minutes: 121, hours: 2 },
    { minutes: -300, hours: -5 },
    { minutes: 345, hours: 5.75 },
    { minutes: 8, hours: 0 },
    { minutes: 60 * 24, hours: 24 },
    { minutes: -60 * 25, hours: 0 },
    { minutes: -60 * 24 * 365, hours: 0 },
  ])('that is $minutes minutes off is that of a clock $hours hours from UTC', ({ minutes, hours }) => {
    expect(measureZoneOffset(MOMENT + minutes * 60_000, MOMENT)).toBe(hours);
  });
});
