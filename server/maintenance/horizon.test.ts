import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Horizon, moveHorizon, REMEMBERED_MS } from './horizon.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 0, 2);

/** One run of the maintenance: so much later, and so far is the clock off. */
const run = fc.record({
  elapsed: fc.oneof(fc.integer({ min: 0, max: 3 * HOUR }), fc.integer({ min: 0, max: 90 * DAY })),
  fraction: fc.double({ min: 0, max: 1, noNaN: true }),
  clockIsOffBy: fc.oneof(fc.constant(0), fc.integer({ min: -800 * DAY, max: 800 * DAY })),
});

describe('the horizon', () => {
  it('never goes back, moves at most twice as fast as time, and not past 30 days ago by the clock', () => {
    fc.assert(
      fc.property(fc.array(run, { maxLength: 60 }), (runs) => {
        let real = NOW;
        let last: Horizon = moveHorizon(undefined, real, 0);
        for (const { elapsed, fraction, clockIsOffBy } of runs) {
          real += elapsed;
          const now = real + clockIsOffBy;
          const next = moveHorizon(last, now, elapsed + fraction);
          expect(next.horizon).toSatisfy(Number.isSafeInteger);
          expect(next.horizon).toBeGreaterThanOrEqual(last.horizon);
          expect(next.horizon - last.horizon).toBeLessThanOrEqual(2 * (elapsed + fraction));
          expect(next.horizon).toBeLessThanOrEqual(Math.max(last.horizon, now - REMEMBERED_MS));
          last = next;
        }
      }),
    );
  });

  it('forgets nothing that clients still send, whatever the clock says for a day', () => {
    const offsets = fc.array(fc.integer({ min: -800 * DAY, max: 800 * DAY }), { minLength: 24, maxLength: 24 });
    fc.assert(
      fc.property(offsets, (hours) => {
        let last = moveHorizon(undefined, NOW, 0);
        for (const [hour, offset] of hours.entries()) last = moveHorizon(last, NOW + (hour + 1) * HOUR + offset, HOUR);
        expect(NOW + DAY - last.horizon).toBeGreaterThanOrEqual(29 * DAY);
      }),
    );
  });

  it('stays 30 days behind a clock that goes right, and catches up where it has fallen behind', () => {
    let last = moveHorizon(undefined, NOW, 0);
    for (let hour = 1; hour <= 48; hour += 1) {
      last = moveHorizon(last, NOW + hour * HOUR, HOUR);
      expect(last.horizon).toBe(NOW + hour * HOUR - REMEMBERED_MS);
    }
    const behind: Horizon = { horizon: last.horizon - DAY, movedAt: last.movedAt };
    let caughtUp = behind;
    for (let hour = 49; hour <= 48 + 24; hour += 1) caughtUp = moveHorizon(caughtUp, NOW + hour * HOUR, HOUR);
    expect(caughtUp.horizon).toBe(NOW + 72 * HOUR - REMEMBERED_MS);
  });

  it('goes on when a clock that was ahead is right again', () => {
    let last = moveHorizon(undefined, NOW, 0);
    last = moveHorizon(last, NOW + 365 * DAY, HOUR);
    last = moveHorizon(last, NOW + 2 * HOUR, HOUR);
    expect(last.movedAt).toBe(NOW + 2 * HOUR);
    for (let hour = 3; hour <= 100; hour += 1) last = moveHorizon(last, NOW + hour * HOUR, HOUR);
    expect(last.horizon).toBe(NOW + 100 * HOUR - REMEMBERED_MS);
  });
});
