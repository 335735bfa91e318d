import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, parseJsonInPieces } from './json.ts';

/** What comes of a reading: the value, or the sentence. */
async function settle(read: () => unknown): Promise<unknown> {
  try {
    return { value: await read() };
  } catch (error) {
    return { sentence: (error as Error).message };
  }
}

const anyTurn = () => Promise.resolve();

const UNITS = ['a', '"', '{', ']', ',', ':', 'é', '\n', '😀', '\\'];

const text = fc.string({ unit: fc.constantFrom(...UNITS) });

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(text, fc.double({ noDefaultInfinity: true, noNaN: true }), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value')),
    fc.dictionary(text, tie('value'), { noNullPrototype: true }),
  ),
}));

const written = fc
  .tuple(value, fc.constantFrom('', ' ', '\n\t'))
  .map(([json, indent]) => JSON.stringify(json, null, indent));

/** Some characters of it are others, or left out. */
const nearly = fc
  .tuple(
    written,
    fc.array(
      fc.tuple(fc.nat(), fc.constantFrom('', '[', ']', '{', '}', ',', ':', '"', '\\', '0', ' ', '"a":1,', '[],')),
    ),
  )
  .map(([text, changes]) => {
    const characters = [...text];
    for (const [at, to] of changes) characters[at % Math.max(1, characters.length)] = to;
    return characters.join('');
  });

const sizes = fc.record({ parsed: fc.integer({ min: 0, max: 60 }), looked: fc.integer({ min: 1, max: 60 }) });

describe('JSON that is read in pieces', () => {
  it('is the same value, or is refused, wherever pieces end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(written, nearly), sizes, async (text, sizes) => {
        const bytes = Buffer.from(text);
        const whole = await settle(() => parseJson(bytes));
        const inPieces = await settle(() => parseJsonInPieces(bytes, anyTurn, sizes));
        // Of what is wrong in two ways, either may be said.
        const isBroken = JSON.stringify(whole).includes('is not valid JSON');
        expect(inPieces).toEqual(isBroken ? { sentence: expect.any(String) as unknown } : whole);
        // The order of keys, too.
        if (!isBroken) expect(JSON.stringify(inPieces)).toBe(JSON.stringify(whole));
      }),
      { numRuns: 3_000, endOnFailure: true },
    );
  });

  it.each(['[0,[1,2,3] ,[4,5,6]\n,7]', '{"a" : [1,2,3] , "b":[4,5,6] }', ' [[1,2,3]] '])(
    'is read with blanks around its large values: %s',
    async (text) => {
      expect(await parseJsonInPieces(Buffer.from(text), anyTurn, { parsed: 2 })).toEqual(JSON.parse(text));
    },
  );

  it.each([
    '[0 [1,2,3]]',
    '["a" [1,2,3]]',
    '[-[1,2,3]]',
    '[[1,2,3] 0]',
    '[[1,2,3]"a",0]',
    '[[1,2,3]:0]',
    '[[1,2,3}]',
    '[{"a":1]]',
    '[[1,2,3],]',
    '[,[1,2,3]]',
    '[0,,[1,2,3]]',
    '[1,2,3,]',
    '{"a":[1,2,3],}',
    '{"a" [1,2,3]}',
    '{[1,2,3]}',
    '{"a":"b":[1,2,3]}',
    '{"a":0 "b":[1,2,3]}',
    '[1,2,3] [4,5,6]',
    '[1,2,3],[4,5,6]',
    '[1,2,3]]',
    '[[1,2,3]',
    '[    ,1]',
  ])('is refused where it is no JSON: %s', async (text) => {
    for (const length of [0, 1, 2, 3, 4, 6]) {
      const reading = parseJsonInPieces(Buffer.from(text), anyTurn, { parsed: length, looked: 3 });
      await expect(reading).rejects.toThrow('The body is not valid JSON.');
    }
  });

  it.each([
    '{"a":[1],"b":[2],"\\u0061":3}',
    '{"a":[1],"a":[2]}',
    '{"a":1,"b":2,"a":[2]}',
    '[{"a":[1,2,3],"b":[1,2,3],"a":0}]',
  ])('has no key twice: %s', async (text) => {
    const reading = parseJsonInPieces(Buffer.from(text), anyTurn, { parsed: 2 });
    await expect(reading).rejects.toThrow('The body has an object with the same key twice.');
  });

  it('has a key __proto__ that is one as any other', async () => {
    const text = '{"a":[1,2,3],"__proto__":[4,5,6],"b":{"__proto__":{"c":1}}}';
    const read = await parseJsonInPieces(Buffer.from(text), anyTurn, { parsed: 2 });
    expect(JSON.stringify(read)).toBe(text);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it.each([
    [
      'members',
      (n: number) => `{"k":[${Array.from({ length: n }, (_, at) => `{"a${at % 50}":1,"b${at % 70}":2}`).join()}]}`,
    ],
    ['numbers', (n: number) => `[${Array.from({ length: n }, (_, at) => at).join()}]`],
    ['levels', (n: number) => `${'[0,'.repeat(60)}"${'x'.repeat(n)}"${']'.repeat(60)}`],
    ['keys', (n: number) => `{${Array.from({ length: Math.min(n, 9_000) }, (_, at) => `"k${at}":[${at}]`).join()}}`],
    ['not closed', (n: number) => `[${'{"a":1},'.repeat(n)}`],
    ['closed otherwise', (n: number) => `[${'{"a":1},'.repeat(n)}0}`],
  ])('takes a turn for each piece: %s', async (_what, write) => {
    const bytes = Buffer.from(write(20_000));
    const parse = JSON.parse;
    let parsed = 0;
    let most = 0;
    JSON.parse = (text: string) => {
      parsed += text.length;
      most = Math.max(most, parsed);
      return parse(text) as unknown;
    };
    const takeTurn = () => {
      parsed = 0;
      return Promise.resolve();
    };
    try {
      await settle(() => parseJsonInPieces(bytes, takeTurn));
    } finally {
      JSON.parse = parse;
    }
    expect(most).toBeLessThan(Math.max(20_000, 2 * 8_192) + 1_000);
  });

  it.each([
    ['a text', `["${'x'.repeat(1_000_000)}"]`],
    ['an escaped text', `["${'\\"'.repeat(500_000)}"]`],
    ['a number', `[${'1'.repeat(1_000_000)}]`],
    ['blanks', `[${' '.repeat(1_000_000)}1]`],
  ])('gives way within %s', async (_what, text) => {
    let turns = 0;
    await parseJsonInPieces(Buffer.from(text), async () => {
      turns += 1;
    });
    // Once for the look over all of it, and once for the parsing.
    expect(turns).toBeGreaterThanOrEqual(2 * 30);
  });

  it('has no key of more than 64 KiB', async () => {
    const write = (length: number) => Buffer.from(`{"a":[1],"${'\\n'.repeat(length / 2)}":1}`);
    await expect(parseJsonInPieces(write(65_536), anyTurn)).resolves.toBeDefined();
    await expect(parseJsonInPieces(write(65_538), anyTurn)).rejects.toThrow(
      'The body has a key of more than 65536 bytes.',
    );
  });
});
