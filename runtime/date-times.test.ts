import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractSchemas } from './contract-schemas.ts';

const isDateTime = contractSchemas({}).compile({ type: 'string', format: 'date-time' });

describe('a date-time', () => {
  it.each([
    '2026-01-02T03:04:05Z',
    '2026-01-02t03:04:05.678z',
    '2026-01-02T03:04:05.678901234+05:30',
    '0000-02-29T23:59:60Z',
    '2024-02-29T23:59:59-00:00',
  ])('is as in RFC 3339: %s', (text) => {
    expect(isDateTime(text)).toBe(true);
  });

  it.each([
    ['without a colon in its offset', '2026-01-02T03:04:05+0530'],
    ['with hours alone in its offset', '2026-01-02T03:04:05+05'],
    ['without an offset', '2026-01-02T03:04:05'],
    ['of a day that is not', '2026-02-29T03:04:05Z'],
    ['of an hour that is not', '2026-01-02T24:00:00Z'],
    ['of a second that is not', '2026-01-02T03:04:60Z'],
    ['with a fraction of nothing', '2026-01-02T03:04:05.Z'],
    ['with digits of another script', '２026-01-02T03:04:05Z'],
    ['with a line feed at its end', '2026-01-02T03:04:05Z\n'],
  ])('is none %s', (_what, text) => {
    expect(isDateTime(text)).toBe(false);
  });

  it('has a T between its date and its time, and nothing else', () => {
    const other = fc.oneof(fc.constantFrom(...' \t\n\r\v\f\u00a0\u2028\u3000\ufeff'), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(other, (between) => {
        fc.pre(!/^t$/i.test(between));
        expect(isDateTime(`2026-01-02${between}03:04:05Z`)).toBe(false);
      }),
    );
  });
});
