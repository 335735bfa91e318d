import { expect, it } from 'vitest';
import type { Arrival } from './captured-request.ts';
import { judged } from './outcome.ts';

const arrival: Arrival = {
  at: 0,
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
const found = (count: number): { problem: string; arrival: Arrival }[] =>
  Array.from({ length: count }, (_, index) => ({ problem: `It has fault ${index}.`, arrival }));

it('tells each problem once, with the requests that have it', () => {
  expect(judged([...found(2), ...found(2)])).toEqual({
    state: 'fail',
    problems: ['It has fault 0.', 'It has fault 1.'],
    arrivals: [arrival],
  });
});

it('counts problems when there are too many to be read', () => {
  expect(judged(found(21)).problems).toHaveLength(21);
  expect(judged(found(1_000)).problems?.slice(19)).toEqual(['It has fault 19.', 'There are 980 more.']);
});
