import { type Contract, schemaValidators, SpecError, type SpecProblem, UncheckableSchema } from '@branchline/contract';
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
      if (!(error instanceof UncheckableSchema)) throw error;
      const sentence = `Values can't be checked by this schema: ${error.reason}.`;
      return [{ position: contract.locate(pointer), sentence }];
    }
  });
  if (problems.length > 0) throw new SpecError(contract.source, problems);
}
