import { expect, it } from 'vitest';
import type { CapturedRequest } from './captured-request.ts';
import { failOn } from './outcome.ts';

const captured: CapturedRequest = {
  at: 0,
  wall: 0,
  where: 'service',
  connection: 1,
  method: 'POST',
  url: '/',
  headers: [],
  body: Buffer.alloc(0),
  text: '',
  batch: undefined,
  answer: undefined,
};
const found = (count: number): { problem: string; captured: CapturedRequest }[] =>
  Array.from({ length: count }, (_, index) => ({ problem: `It has fault ${index}.`, captured }));

it('tells each problem once, with the requests that have it', () => {
  expect(failOn([...found(2), ...found(2)])).toEqual({
    state: 'fail',
    problems: ['It has fault 0.', 'It has fault 1.'],
    requests: [captured],
  });
});

it('counts problems when there are too many to be read', () => {
  expect(failOn(found(21)).problems).toHaveLength(21);
  expect(failOn(found(1_000)).problems?.slice(19)).toEqual(['It has fault 19.', 'There are 980 more.']);
});
