import type { OperationPlan } from '@branchline/runtime';

/**
 * What the runtime needs to know of each operation, as data.
 *
 * @param runtime - What the file imports the runtime from.
 */
export function printOperations(operations: readonly OperationPlan[], runtime: string): string {
  return `import type { OperationPlan } from '${runtime}';

/** All operations of the contract, in its order. */
export const operations: readonly OperationPlan[] = ${JSON.stringify(operations, null, 2)};
`;
}
