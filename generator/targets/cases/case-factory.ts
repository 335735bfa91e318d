import type { Case, CaseRequest, Mistake, Variation } from '@branchline/contract';
import { expectRefusal, expectSuccess } from './expectations.ts';
import type { OperationPlan } from './ordinary-request.ts';

/** Completes cases of one operation. */
export type CaseFactory = (
  id: string,
  title: string,
  varies: Variation,
  request: CaseRequest,
  mistake?: Mistake,
) => Case;

/** A request without a mistake is to succeed, one with a mistake is to be refused as the contract documents. */
export function createCaseFactory({ operation }: OperationPlan): CaseFactory {
  return (id, title, varies, request, mistake) => ({
    id: `${operation.id}/${id}`,
    operationId: operation.id,
    method: operation.method,
    path: operation.path,
    title,
    varies,
    request,
    ...(mistake === undefined ? expectSuccess(operation) : expectRefusal(operation, mistake)),
  });
}
