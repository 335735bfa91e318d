import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeCostlyGzip } from './testing/costly-gzip.ts';
import { unpack } from './unpacking.ts';

const MEBIBYTE = 1_048_576;

const never = new AbortController().signal;

function unpackFor(holder: string, bytes: Buffer, signal = never): Promise<Buffer> {
  return unpack(bytes, { maxBytes: MEBIBYTE, holder, signal });
}

/** Lets its holder have most of what there is: it costs some 15 ms and has 32 pieces. */
const COSTLY = makeCostlyGzip(262_144, Buffer.from('{}'));

describe('unpacking', () => {
  const member = fc.oneof(
    fc.integer({ min: 0, max: 60_000 }).map((size) => gzipSync(randomBytes(size))),
    fc.string().map((text) => gzipSync(text)),
    fc.integer({ min: 1, max: 40_000 }).map((size) => makeCostlyGzip(size, Buffer.from('{}'))),
  );
  const ending = fc.oneof(
    fc.constant(Buffer.alloc(0)),
    fc.integer({ min: 1, max: 40_000 }).map((size) => Buffer.alloc(size)),
    fc.integer({ min: 1, max: 40_000 }).map((size) => randomBytes(size)),
    fc.integer({ min: 1, max: 40_000 }).map((size) => Buffer.concat([Buffer.alloc(1), randomBytes(size)])),
  );
  const packed = fc
    .tuple(fc.array(member, { maxLength: 3 }), ending)
    .map(([members, end]) => Buffer.concat([...members, end]))
    .filter(({ length }) => length > 0);

  it('gives what zlib gives, and fails where it fails, however large it is', async () => {
    const whole = promisify(gunzip);
    await fc.assert(
      fc.asyncProperty(packed, fc.constantFrom(1, 1, 0.9, 0.5), async (bytes, kept) => {
        const sent = bytes.subarray(0, Math.ceil(bytes.length * kept));
        const [expected, found] = await Promise.allSettled([whole(sent), unpackFor('a', sent)]);
        expect(found.status).toBe(expected.status);
        if (expected.status === 'fulfilled') expect(found).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    { what: 'small', content: Buffer.alloc(2 * MEBIBYTE) },
    { what: 'large', content: randomBytes(2 * MEBIBYTE) },
  ])('ends where more comes out of $what gzip than may', async ({ content }) => {
    await expect(unpackFor('a', gzipSync(content))).rejects.toBeInstanceOf(RangeError);
  });

  it('has others wait for none of what one holder has unpacked, however much that costs', async () => {
    const done: string[] = [];
    const note = (holder: string, bytes: Buffer) => unpackFor(holder, bytes).then(() => done.push(holder));
    const costly = Array.from({ length: 16 }, () => note('costly', COSTLY));
    await Promise.all([note('small', gzipSync('{}')), note('large', gzipSync(randomBytes(20_000)))]);
    expect(done.toSorted()).toEqual(['large', 'small']);
    await Promise.all(costly);
  });

  it('ends when nobody waits for it any more, and leaves its place to others', async () => {
    const gone = new AbortController();
    const costly = Array.from({ length: 16 }, () => unpackFor('gone', COSTLY, gone.signal));
    gone.abort();
    const ends = await Promise.allSettled([...costly, unpackFor('gone', COSTLY, gone.signal)]);
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(17);
    expect((await unpackFor('others', COSTLY)).toString()).toBe('{}');
    expect((await unpackFor('gone', COSTLY)).toString()).toBe('{}');
  });
});
