import { parse, v7 as uuid } from 'uuid';

/** The counter within a millisecond has 32 bits. */
const LAST_SEQUENCE = 0xff_ff_ff_ff;

/**
 * Generates ordered ids for new lines, all after the previous line, whichever server and clock created it: UUIDs of version
 * 7 that continue from its time and counter if our clock is not ahead.
 *
 * @param last the id of the previous line
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
  // Starting in the lower half leaves the counter room to count.
  if (at > msecs) return uuid({ msecs: at, seq: Math.floor(Math.random() * 2 ** 31) });
  if (sequence === LAST_SEQUENCE) return uuid({ msecs: msecs + 1, seq: 0 });
  return uuid({ msecs, seq: sequence + 1 });
}

/** Reads a UUID (RFC 9562, 5.7): 48 bits of time, then, around version and variant, the 32 bits of the counter of `uuid`. */
function parsePlace(id: string): { msecs: number; sequence: number } {
  const bytes = Buffer.from(parse(id));
  const high = bytes.readUInt16BE(6) & 0x0f_ff;
  const low = ((bytes.readUInt8(8) & 0x3f) << 14) | (bytes.readUInt16BE(9) >>> 2);
  return { msecs: bytes.readUIntBE(0, 6), sequence: high * 2 ** 20 + low };
}
