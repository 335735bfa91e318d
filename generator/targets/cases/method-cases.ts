import { type Case, type Contract, operationAt } from '@branchline/contract';
import { expectRefusal } from './expectations.ts';
import { type OperationPlan, makeOrdinaryRequest } from './ordinary-request.ts';

const TRIED_METHODS = ['patch', 'delete', 'put', 'post', 'get'];

/**
 * One method on each path that the path does not have. It is judged where the contract documents 405 for one of the
 * path's operations, and only observed elsewhere.
 */
export function makeMethodCases(contract: Contract, plans: readonly OperationPlan[]): Case[] {
  const paths = [...new Set(plans.map(({ operation }) => operation.path))];
  return paths.flatMap((path) => {
    const here = plans.filter(({ operation }) => operation.path === path);
    const plan = here.find(({ operation }) => expectRefusal(operation, 'method').level === 'required') ?? here[0];
    const method = TRIED_METHODS.find((one) => operationAt(contract.document, one, path) === undefined);
    if (plan === undefined || method === undefined) return [];
    const { operation } = plan;
    const { level, expect } = expectRefusal(operation, 'method');
    const allow = here.map((one) => one.operation.method.toUpperCase());
    const { contentType: _, body: __, ...request } = makeOrdinaryRequest(plan);
    return [
      {
        id: `${operation.id}/method/${method}`,
        operationId: operation.id,
        method: operation.method,
        path,
        title: `Refuses ${method.toUpperCase()}, a method that the path does not have.`,
        level,
        mistake: 'method',
        varies: { in: 'method' },
        request: { ...request, method },
        expect: level === 'required' ? { ...expect, allow } : expect,
      },
    ];
  });
}
