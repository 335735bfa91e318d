import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '@branchline/contract';
import { selectSchemas } from '../targets/server/schemas-file.ts';
import { planOperation } from './operation-plan.ts';

const hostile = fileURLToPath(new URL('../testing/hostile.yaml', import.meta.url));

/** After a meant change of the plans or of the spec: `npx vitest run --project sqlite generator/typescript/operation-plan.test.ts --update`. */
test('the tests of the runtime stand on the plans that are made today', async () => {
  const contract = await loadContract(hostile);
  const operations = contract.operations.map((operation) => planOperation(contract, operation));
  const text = `${JSON.stringify({ operations, document: selectSchemas(contract, operations) }, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../runtime/testing/generated/hostile.json');
});
