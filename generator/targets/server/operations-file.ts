import type { Contract } from '@branchline/contract';
import { planOperation } from '../../typescript/operation-plan.ts';

/**
 * What the runtime needs to know of each operation, as data.
 *
 * @param runtime - What the file imports the runtime from.
 */
export function printOperations(contract: Contract, runtime: string): string {
  const plans = contract.operations.map((operation) => planOperation(contract, operation));
  return `import type { OperationPlan } from '${runtime}';

/** All operations of the contract, in its order. */
export const operations: readonly OperationPlan[] = ${JSON.stringify(plans, null, 2)};
`;
}
