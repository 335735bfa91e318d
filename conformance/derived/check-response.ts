import type { Case, Expectation, HttpResponse, ResponseCheck } from '@branchline/contract';

/** Everything in which an answer is not what the case expects or the contract documents; empty where it is. */
export function judge(contractCase: Case, response: HttpResponse, check: ResponseCheck): string[] {
  const expectation = contractCase.expect;
  if (!expected(expectation, response.status)) {
    return [`Expected status ${expectation.statuses.join(' or ')}, but got ${response.status}.`];
  }
  return [
    ...missingMethods(expectation, response),
    ...check({ method: contractCase.method, path: contractCase.path, response }),
  ];
}

function expected({ statuses }: Expectation, status: number): boolean {
  return statuses.some((wanted) => wanted === status || wanted === `${Math.floor(status / 100)}XX`);
}

function missingMethods({ allow = [] }: Expectation, response: HttpResponse): string[] {
  const header = String(response.headers['allow'] ?? '').toUpperCase();
  const named = new Set(header.split(',').map((method) => method.trim()));
  const missing = allow.filter((method) => !named.has(method));
  return missing.length === 0 ? [] : [`The "Allow" header must name ${missing.join(', ')}.`];
}
