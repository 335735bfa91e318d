import { expect, test } from 'vitest';
import { ContractError } from './contract-error.ts';
import { exampleReplies } from './example-replies.ts';

interface Handlers {
  getThing(request: { id: string }): Promise<{ status: 200; body: string }>;
  putThing(request: { id: string }): { status: 204 };
}

const stub = exampleReplies<Handlers>({ getThing: { status: 200, body: 'a' } });

test('a stub answers the example of its operation', () => {
  const reply: { status: 200; body: string } = stub('getThing');
  expect(reply).toEqual({ status: 200, body: 'a' });
});

test('a stub without an example is refused as not written yet', () => {
  const sentence = 'The operation "putThing" has no example in the contract, and its handler is not written yet.';
  expect(() => stub('putThing')).toThrow(new ContractError('stub', sentence, { 'branchline-stub': 'putThing' }));
});
