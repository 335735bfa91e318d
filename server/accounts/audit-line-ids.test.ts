import { v7 as uuid } from 'uuid';
import { describe, expect, it } from 'vitest';
import { nextLineIds } from './audit-line-ids.ts';

const AT = 1_767_225_600_000;

describe('the ids of audit lines', () => {
  it('of one millisecond are in the order of the acts', () => {
    let last: string | undefined;
    const ids = Array.from({ length: 200 }, () => {
      const made = nextLineIds(last, AT, 2);
      last = made.at(-1);
      return made;
    }).flat();
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(400);
  });

  it.each([
    ['was made by a clock that is ahead', uuid({ msecs: AT + 60_000, seq: 5 })],
    ['has the last place of its millisecond', uuid({ msecs: AT, seq: 0xff_ff_ff_ff })],
    ['has a place in the middle of its bits', uuid({ msecs: AT, seq: 0x12_3f_ff_ff })],
  ])('are behind a line that %s', (_what, last) => {
    const [next = ''] = nextLineIds(last, AT, 1);
    expect(next > last).toBe(true);
  });

  it('begin anew with a later time', () => {
    const [next = ''] = nextLineIds(uuid({ msecs: AT, seq: 0xff_ff_ff_ff }), AT + 1, 1);
    expect(next.slice(0, 13)).toBe(uuid({ msecs: AT + 1 }).slice(0, 13));
  });
});
