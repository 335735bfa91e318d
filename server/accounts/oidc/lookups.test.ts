import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { beforeEach, expect, it } from 'vitest';
import { lookUpInTurn } from './lookups.ts';

/** What is asked of a name server that answers when it is told to. */
let asked: { name: string; answer: PromiseWithResolvers<LookupAddress[]> }[];
let look: LookupFunction;

beforeEach(() => {
  asked = [];
  look = lookUpInTurn((name) => {
    const answer = Promise.withResolvers<LookupAddress[]>();
    asked.push({ name, answer });
    return answer.promise;
  });
});

const ADDRESSES = [
  { address: '192.0.2.1', family: 4 },
  { address: '2001:db8::1', family: 6 },
];

const find = (name: string, all = true) =>
  new Promise((resolve) =>
    look(name, { all }, (error, addresses, family) => resolve(error ?? (all ? addresses : [addresses, family]))),
  );
const names = () => asked.map(({ name }) => name);
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('one look-up is under way at a time, whatever is asked for and however long it takes', async () => {
  const found = [find('a'), find('a'), find('b'), find('a', false), find('b')];
  await turn();
  expect(names()).toEqual(['a']);
  asked[0]?.answer.resolve(ADDRESSES);
  await turn();
  expect(names()).toEqual(['a', 'b']);
  asked[1]?.answer.resolve([]);
  expect(await Promise.all(found)).toEqual([ADDRESSES, ADDRESSES, [], ['192.0.2.1', 4], []]);
});

it('a look-up that fails tells all who wait, and the next one is made', async () => {
  const found = [find('a'), find('a')];
  await turn();
  const failure = new Error('getaddrinfo EAI_AGAIN a');
  asked[0]?.answer.reject(failure);
  expect(await Promise.all(found)).toEqual([failure, failure]);
  const again = find('a');
  await turn();
  expect(names()).toEqual(['a', 'a']);
  asked[1]?.answer.resolve(ADDRESSES);
  expect(await again).toEqual(ADDRESSES);
});

it('the system finds this machine', async () => {
  look = lookUpInTurn();
  expect(await find('localhost')).toContainEqual(
    expect.objectContaining({ address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) }),
  );
});
