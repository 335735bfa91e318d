import { type Contract, schemaValidators, SpecError, type SpecProblem } from '@branchline/contract';
import type { OperationPlan } from '@branchline/runtime';
import { listSchemas } from './schemas-file.ts';

/**
 * Compiles what the server will compile when it starts, with the same settings of Ajv.
 *
 * @throws SpecError with the line of each schema that it could not start with.
 */
export function checkServable(contract: Contract, operations: readonly OperationPlan[], schemas: object): void {
  const compile = schemaValidators(schemas);
  const problems = [...new Set(listSchemas(operations))].flatMap((pointer): SpecProblem[] => {
    try {
      compile(pointer);
      return [];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return [{ position: contract.locate(pointer), sentence: `Values can't be checked by this schema: ${reason}.` }];
    }
  });
  if (problems.length > 0) throw new SpecError(contract.source, problems);
}
