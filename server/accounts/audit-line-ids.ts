import { parse, v7 as uuid } from 'uuid';

/** What counts within a millisecond has 32 bits. */
const LAST_SEQUENCE = 0xff_ff_ff_ff;

/**
 * The ids of new lines, in their order, and all behind the line before, whatever server and clock that was made by: UUIDs of version
 * 7 that go on from its time and counter where ours is not later.
 *
 * @param last the id of the line before
 * @param at milliseconds since 1970, UTC
 */
export function nextLineIds(last: string | undefined, at: number, count: number): string[] {
  const ids: string[] = [];
  let before = last;
  while (ids.length < count) {
    before = nextId(before, at);
    ids.push(before);
  }
  return ids;
}

function nextId(last: string | undefined, at: number): string {
  const { msecs, sequence } = last === undefined ? { msecs: -1, sequence: 0 } : parsePlace(last);
  // A counter that begins in the lower half has room to count.
  if (at > msecs) return uuid({ msecs: at, seq: Math.floor(Math.random() * 2 ** 31) });
  if (sequence === LAST_SEQUENCE) return uuid({ msecs: msecs + 1, seq: 0 });
  return uuid({ msecs, seq: sequence + 1 });
}

/** RFC 9562, 5.7: 48 bits of time, then, around version and variant, the 32 bits into which `uuid` writes its counter. */
function parsePlace(id: string): { msecs: number; sequence: number } {
  const bytes = Buffer.from(parse(id));
  const high = bytes.readUInt16BE(6) & 0x0f_ff;
  const low = ((bytes.readUInt8(8) & 0x3f) << 14) | (bytes.readUInt16BE(9) >>> 2);
  return { msecs: bytes.readUIntBE(0, 6), sequence: high * 2 ** 20 + low };
}
