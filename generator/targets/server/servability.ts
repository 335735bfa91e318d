import { type Contract, schemaValidators, SpecError, type SpecProblem } from '@branchline/contract';
import type { OperationPlan } from '@branchline/runtime';
import { remember } from '../../remember.ts';
import { listSchemas } from './schemas-file.ts';

/**
 * Sees to it that all compiles that the server will compile, with the same settings of Ajv. What has compiled before is not tried again.
 *
 * @throws SpecError with the line of each schema that it could not serve.
 */
export async function checkServable(
  contract: Contract,
  operations: readonly OperationPlan[],
  schemas: object,
): Promise<void> {
  const pointers = [...new Set(listSchemas(operations))];
  await remember('servable schemas', [schemas, pointers], () => {
    compileAll(contract, pointers, schemas);
    return true;
  });
}

function compileAll(contract: Contract, pointers: readonly string[], schemas: object): void {
  const compile = schemaValidators(schemas);
  const problems = pointers.flatMap((pointer): SpecProblem[] => {
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
