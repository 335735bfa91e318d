import { expect, it } from 'vitest';
import { SmallPieces } from './small-pieces.ts';

/** Pieces whose time passes when it is told to. */
function pieces() {
  let now = 0;
  const counted = new SmallPieces({ now: () => now });
  return {
    pass: (milliseconds: number) => (now += milliseconds),
    /** How many of them are accepted, one after the other. */
    send: (count: number, bytes: number) =>
      Array.from({ length: count }, () => counted.accept(bytes)).filter(Boolean).length,
  };
}

it('some thousand small pieces may come at once, and a hundred more each second', () => {
  const { pass, send } = pieces();
  expect(send(2_000, 0)).toBe(1_000);
  const another = pieces();
  expect(another.send(1_000, 0)).toBe(1_000);
  another.pass(1_000);
  expect(another.send(200, 0)).toBe(100);
  pass(3_600_000);
  expect(send(2_000, 0)).toBe(1_000);
});

it('pieces of a reasonable size may be as many as they like, and make up for small ones among them', () => {
  expect(pieces().send(100_000, 512)).toBe(100_000);
  const { send } = pieces();
  for (let line = 0; line < 5_000; line += 1) expect(send(1, 1_023) + send(1, 1)).toBe(2);
});

it('a large piece does not make up for small ones that come after it', () => {
  const { send } = pieces();
  send(1, 10_000_000);
  expect(send(2_000, 0)).toBe(1_000);
});
