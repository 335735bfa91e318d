import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { archive, encodeText } from './archive.ts';

const files = [
  ['b/second.txt', encodeText('second')],
  ['a.txt', encodeText('first')],
] as const;

it('makes the same bytes of the same files, in whatever order they come', () => {
  expect(archive(new Map(files))).toEqual(archive(new Map(files.toReversed())));
});

it('makes the same bytes at any time and in any time zone', () => {
  const before = archive(new Map(files));
  const zone = process.env['TZ'];
  try {
    process.env['TZ'] = zone === 'Asia/Tokyo' ? 'UTC' : 'Asia/Tokyo';
    expect(archive(new Map(files))).toEqual(before);
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
});

it('keeps every byte', () => {
  const names = Object.entries(unzipSync(archive(new Map(files)))).map(([name, bytes]) => [
    name,
    Buffer.from(bytes).toString(),
  ]);
  expect(names).toEqual([
    ['a.txt', 'first'],
    ['b/second.txt', 'second'],
  ]);
});
