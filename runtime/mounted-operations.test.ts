import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeRoutingDocument, mountWhole, parseAlone } from './mounted-operations.ts';
import type { OperationPlan } from './plan.ts';

const { operations }: { operations: readonly OperationPlan[] } = JSON.parse(
  readFileSync(new URL('testing/generated/hostile.json', import.meta.url), 'utf8'),
);

test('glue mounts the operations alike by its parser alone and as a whole', async () => {
  const document = makeRoutingDocument(operations);
  const alone = await parseAlone(document);
  expect(alone).toHaveLength(operations.length);
  expect(alone).toEqual(await mountWhole(document));
});
