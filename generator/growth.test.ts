import { expect, test, vi } from 'vitest';
import { targets } from './targets.ts';
import { contractFrom } from './testing/served-contract.ts';

const OPERATIONS = 30;

/** Each operation takes and gives a schema of its own, which has a property that only replies hold. */
function writeDocument(operations: number): object {
  const numbers = Array.from({ length: operations }, (_, index) => index);
  const content = (number: number) => ({
    'application/json': { schema: { $ref: `#/components/schemas/Thing${number}` } },
  });
  const schema = (number: number) => ({
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer', readOnly: true },
      before: { $ref: `#/components/schemas/Thing${Math.max(0, number - 1)}` },
    },
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: Object.fromEntries(
      numbers.map((number) => [
        `/things${number}`,
        {
          post: {
            operationId: `make${number}`,
            requestBody: { required: true, content: content(number) },
            responses: { 200: { description: 'Made', content: content(number) } },
          },
        },
      ]),
    ),
    components: { schemas: Object.fromEntries(numbers.map((number) => [`Thing${number}`, schema(number)])) },
  };
}

/** How many characters of JSON are written while a target makes its files: a measure of how often it goes over the document. */
async function countCharacters(target: (typeof targets)[number], operations: number): Promise<number> {
  const contract = await contractFrom(writeDocument(operations));
  const stringify = vi.spyOn(JSON, 'stringify');
  try {
    await target.files(contract, () => Promise.resolve(undefined), {});
    return stringify.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
  } finally {
    stringify.mockRestore();
  }
}

// Those in Kotlin are made by a program of others.
const ownTargets = targets.filter(({ name }) => !/kotlin|android/.test(name));

test.each(ownTargets)(
  '$name goes over a contract no more often where it has twice as many operations',
  async (target) => {
    const [few, many] = [await countCharacters(target, OPERATIONS), await countCharacters(target, 2 * OPERATIONS)];
    expect(many / few).toBeLessThan(2.5);
  },
);
