import { expect, test } from 'vitest';
import { follow } from './document.ts';

const reference = (name: string): object => ({ $ref: `#/components/responses/${name}` });

test('a chain of references is followed to its end, however long', () => {
  const chain = Array.from({ length: 200 }, (_, index) => [`R${index}`, reference(`R${index + 1}`)]);
  const responses = { ...Object.fromEntries(chain), R200: { description: 'OK' } };
  expect(follow({ openapi: '3.1.0', components: { responses } }, '/components/responses/R0')).toEqual({
    pointer: '/components/responses/R200',
    value: { description: 'OK' },
  });
});

test('one that leads in a circle is told of', () => {
  const responses = { A: reference('B'), B: reference('C'), C: reference('B') };
  expect(() => follow({ openapi: '3.1.0', components: { responses } }, '/components/responses/A')).toThrow(
    'The reference at "/components/responses/A" of the contract leads in a circle.',
  );
});
