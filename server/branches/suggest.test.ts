import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureCpuTime } from '../../test/support/cpu-time.ts';
import { suggestName } from './suggest.ts';

const STRICT_KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;

function suggest(asked: unknown, taken: ReadonlySet<string> = new Set(), random: () => number = () => 0.5) {
  return suggestName(asked, { namesTaken: async (names) => new Set(names).intersection(taken), random });
}

describe('the suggested name', () => {
  it.each([
    ['Ünïcode Näme', 'unicode-name'],
    ['Checkout Events', 'checkout-events'],
    ['checkout_events', 'checkout-events'],
    ['-checkout--events-', 'checkout-events'],
    ['myBranch', 'my-branch'],
    ['HTTPServer', 'http-server'],
    ['v1.2.3', 'v1-2-3'],
    ['cafe\u0301', 'cafe'],
    ['Привет мир', 'privet-mir'],
    ['你好世界', 'ni-hao-shi-jie'],
    ['مرحبا', 'mrhb'],
    ['\u202eשלום\u202c', 'slvm'],
    ['🎉 party', 'tada-party'],
    ['a\ud800b', 'ab'],
    ['x'.repeat(10_000), 'x'.repeat(255)],
    [`${'-'.repeat(10_000)}late`, 'late'],
  ])('is close to what was asked: %j', async (asked, suggested) => {
    expect(await suggest(asked)).toBe(suggested);
  });

  it.each(
    ['', '---', '   ', '\ud800', '\u200b\u202e', 123, null, undefined, ['a'], { name: 'a' }, true].map((asked) => ({
      asked,
    })),
  )('is new-branch where nothing is left: $asked', async ({ asked }) => {
    expect(await suggest(asked)).toBe('new-branch');
  });

  it('is cut at the end of a word', async () => {
    const words = `${'word-'.repeat(50)}interrupted`;
    expect(words.slice(0, 255)).toMatch(/-inter$/);
    expect(await suggest(words)).toBe('word-'.repeat(50).slice(0, -1));
  });

  it('keeps a word that just fits', async () => {
    const fits = `${'a'.repeat(250)}-bcde`;
    expect(await suggest(`${fits} f`)).toBe(fits);
  });

  it('is cut within a word rather than lose most of itself', async () => {
    expect(await suggest(`a ${'b'.repeat(300)}`)).toBe(`a-${'b'.repeat(253)}`);
  });

  it('has the first free number behind it when it is taken', async () => {
    expect(await suggest('Checkout', new Set(['checkout']))).toBe('checkout-2');
    expect(await suggest('Checkout', new Set(['checkout', 'checkout-2', 'checkout-4']))).toBe('checkout-3');
  });

  it('has something random behind it when 20 are taken, after a single look-up', async () => {
    const lookUps: number[] = [];
    const namesTaken = async (names: readonly string[]) => {
      lookUps.push(names.length);
      return new Set(names);
    };
    expect(await suggestName('Checkout', { namesTaken, random: () => 0.5 })).toBe('checkout-i0000000');
    expect(await suggestName('Checkout', { namesTaken, random: () => 0 })).toBe('checkout-00000000');
    expect(await suggestName('Checkout', { namesTaken, random: () => 1 - 2 ** -53 })).toBe('checkout-zzzzzzzz');
    expect(lookUps).toEqual([20, 20, 20]);
  });

  it('is valid and free for whatever was asked and whatever is taken', async () => {
    const long = fc.integer({ min: 240, max: 300 }).map((length) => 'x'.repeat(length));
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.string({
        unit: fc.constantFrom('-', 'a', 'B', ' ', '7', '你', '🎉', 'ﷺ', '\ud800', '\u0301'),
        maxLength: 400,
      }),
      long,
      fc.tuple(long, fc.constantFrom('-2', '-20', ' y')).map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 0, max: 25 }), async (asked, takenCount) => {
        const taken = new Set<string>();
        for (let count = 0; count <= takenCount; count += 1) {
          const name = await suggest(asked, taken, () => count / 100);
          expect(name).toMatch(STRICT_KEBAB);
          expect(name.length).toBeLessThanOrEqual(255);
          expect(taken).not.toContain(name);
          taken.add(name);
        }
      }),
    );
  });

  it.each(['a', 'A', 'aA', '-', ' ', '你', '😀', 'ﷺ', "'s", '\ud800'])(
    'takes bounded work for 64 KiB of %j',
    async (unit) => {
      const asked = unit.repeat(65_536 / unit.length);
      const took = await measureCpuTime(async () => expect(await suggest(asked)).toMatch(STRICT_KEBAB));
      expect(took).toBeLessThan(1_000);
    },
  );
});
