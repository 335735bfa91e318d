import { expect, test } from 'vitest';
import type { OpenApiDocument } from '../openapi.ts';
import { checkCycles } from './cycles.ts';
import { checkReferences } from './references.ts';

/** Schemas that are each a reference to the next, and how often one of them has been read. */
function countedChain(length: number): { document: OpenApiDocument; countReads(): number } {
  let reads = 0;
  const schemas = Array.from({ length }, (_, index) => {
    const schema = Object.defineProperty({}, '$ref', {
      enumerable: true,
      get: () => {
        reads += 1;
        return `#/components/schemas/S${index + 1}`;
      },
    });
    return [`S${index}`, schema] as const;
  });
  const components = { schemas: { ...Object.fromEntries(schemas), [`S${length}`]: {} } };
  const document: OpenApiDocument = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {}, components };
  return { document, countReads: () => reads };
}

test.each([
  { what: 'where references lead to', check: checkReferences },
  { what: 'whether schemas are made of themselves', check: checkCycles },
])('$what is looked up a few times for each schema, however long the chain', ({ check }) => {
  const { document, countReads } = countedChain(500);
  expect(check(document)).toEqual([]);
  expect(countReads()).toBeLessThan(500 * 10);
});
