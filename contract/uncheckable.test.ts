import { expect, test } from 'vitest';
import { schemaValidators } from './schemas.ts';
import { SpecError } from './spec-error.ts';
import { explainUnusable, UncheckableSchema } from './uncheckable.ts';

/** Objects, each of which has the next. */
function chain(length: number): object {
  const schemas = Array.from({ length }, (_, index) => [
    `S${index}`,
    { type: 'object', properties: { next: { $ref: `#/components/schemas/S${index + 1}` } } },
  ]);
  return { components: { schemas: { ...Object.fromEntries(schemas), [`S${length}`]: {} } } };
}

test('a schema that leads through too many others is told of in a sentence', () => {
  const validators = schemaValidators(chain(5_000));
  expect(() => validators('/components/schemas/S0')).toThrow(UncheckableSchema);
  expect(() => validators('/components/schemas/S0')).toThrow(
    /^Values can't be checked by the schema \/components\/schemas\/S0: it has too many parts, or leads through too many schemas/,
  );
});

test('so is an "$id" that two schemas have', () => {
  const twice = { components: { schemas: { A: { $id: 'http://a' }, B: { $id: 'http://a' } } } };
  expect(() => schemaValidators(twice)).toThrow(
    /^Values can't be checked by the schema of the contract: reference "http:\/\/a.* more than one schema\.$/,
  );
});

const recurse = (): unknown => [recurse()];

test.each([
  {
    what: 'the end of the stack',
    work: recurse,
    sentence: "This contract can't be worked with: it has too many parts",
  },
  {
    what: 'a schema that does not compile',
    work: () => schemaValidators({ a: { $ref: '#/b' } })('/a'),
    sentence: "Values can't be checked by the schema /a: can't resolve reference",
  },
])('$what makes a contract one that can not be used', async ({ work, sentence }) => {
  const error: unknown = await explainUnusable('spec.yaml', work).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SpecError);
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(`spec.yaml:1:1  ${sentence}`) });
});

test('any other error stays what it is', async () => {
  const error = new RangeError('Invalid array length');
  await expect(explainUnusable('spec.yaml', () => Promise.reject(error))).rejects.toBe(error);
});
