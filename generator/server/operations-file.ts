import type { Contract } from '@branchline/contract';
import { planOf } from './plan.ts';

/** What the wiring needs to know of each operation, as data. */
export function operationsFile(contract: Contract): string {
  const plans = contract.operations.map((operation) => planOf(contract, operation));
  return `import type { OperationPlan } from './plan.ts';

/** All operations of the contract, in its order. */
export const operations: readonly OperationPlan[] = ${JSON.stringify(plans, null, 2)};
`;
}
