import { type Contract, SpecError, type SpecProblem } from '@branchline/contract';
import { contractSchemas, makeReference, type OperationPlan } from '@branchline/runtime';
import { listSchemas } from './schemas-file.ts';

/**
 * Compiles what the server will compile when it starts, as it will.
 *
 * @throws SpecError with the line of each schema that it could not start with.
 */
export function checkServable(contract: Contract, operations: readonly OperationPlan[], schemas: object): void {
  const { compile } = contractSchemas(schemas);
  const problems = [...new Set(listSchemas(operations))].flatMap((pointer): SpecProblem[] => {
    try {
      compile(makeReference(pointer));
      return [];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return [{ position: contract.locate(pointer), sentence: `Values can't be checked by this schema: ${reason}.` }];
    }
  });
  if (problems.length > 0) throw new SpecError(contract.source, problems);
}
