import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expiredTables, slotTable, SLOT_TABLES } from './message-slots.ts';

const DAY = 24 * 60 * 60 * 1_000;
const time = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2036, 0, 1) });
const table = (observedAt: number) => slotTable(new Date(observedAt).toISOString());

test('every time has a table, also one that no calendar has', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      expect(SLOT_TABLES).toContain(table(date.getTime()));
    }),
  );
  expect(SLOT_TABLES).toContain(slotTable('1850-01-01T00:00:00Z'));
});

test('the same time has the same table, however it is written', () => {
  expect(slotTable('2026-01-02T00:00:00Z')).toBe(slotTable('2026-01-02T00:00:00.000000Z'));
});

test.each(['2016-12-31T23:59:60Z', '2017-01-01T01:59:60.25+02:00', '2016-12-31t15:59:60-08:00'])(
  'a leap second is of its day: %s',
  (observedAt) => {
    expect(slotTable(observedAt)).toBe(slotTable('2016-12-31T23:59:59Z'));
  },
);

test('nothing that was observed after the time before which is forgotten, or will be in the next days, is emptied', () => {
  const span = fc.integer({ min: 0, max: 400 * DAY });
  fc.assert(
    fc.property(time, span, fc.integer({ min: 0, max: 36 * DAY - 1 }), (to, back, ahead) => {
      expect(expiredTables({ from: to - back, to, now: to + 30 * DAY })).not.toContain(table(to + ahead));
    }),
  );
});

test('nothing that was observed in the last days, or will be in the next, is emptied, however far behind the time is', () => {
  const [behind, moved] = [fc.integer({ min: 30 * DAY, max: 400 * DAY }), fc.integer({ min: 0, max: 9 * DAY })];
  fc.assert(
    fc.property(time, behind, moved, fc.integer({ min: -30 * DAY, max: 6 * DAY }), (now, lag, step, ahead) => {
      const to = now - lag;
      expect(expiredTables({ from: to - step, to, now })).not.toContain(table(now + ahead));
    }),
  );
});

test('as the time moves on, each table is emptied once in 48 days', () => {
  fc.assert(
    fc.property(
      time,
      fc.array(fc.integer({ min: 1, max: 2 * DAY }), { minLength: 100, maxLength: 200 }),
      (start, steps) => {
        let at = start;
        const emptied: string[] = [];
        for (const step of steps) {
          emptied.push(...expiredTables({ from: at, to: at + step, now: at + step + 30 * DAY }));
          at += step;
        }
        const periods = Math.floor(at / (3 * DAY)) - Math.floor(start / (3 * DAY));
        expect(emptied).toHaveLength(periods);
        for (const [index, name] of emptied.entries()) {
          if (index >= SLOT_TABLES.length) expect(name).toBe(emptied[index - SLOT_TABLES.length]);
        }
        expect(new Set(emptied).size).toBe(Math.min(periods, SLOT_TABLES.length));
      },
    ),
  );
});
