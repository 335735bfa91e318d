import type { Case, Expectation, HttpResponse, ResponseCheck } from '@branchline/contract';
import type { Answer } from '../engine/http/client.ts';
import { describeUnexpectedStatus } from '../engine/status-sentences.ts';

/** Everything in which an answer differs from what the case expects or the contract documents; empty where it does not. */
export function checkResponse(contractCase: Case, answer: Answer, check: ResponseCheck): string[] {
  const { method, path, expect: expectation } = contractCase;
  if (!isExpected(expectation, answer.status)) {
    return [describeUnexpectedStatus(expectation.statuses.join(' or '), answer.status)];
  }
  const response = toHttpResponse(answer);
  return [...findMissingMethods(expectation, response), ...check({ method, path, response })];
}

/** Whether a status is one of those that a case expects. */
export function isExpected({ statuses }: Expectation, status: number): boolean {
  return statuses.some((wanted) => wanted === status || wanted === `${Math.floor(status / 100)}XX`);
}

/** What the `Allow` header does not name, as a sentence. */
export function findMissingMethods({ allow = [] }: Expectation, response: HttpResponse): string[] {
  const header = String(response.headers['allow'] ?? '').toUpperCase();
  const named = new Set(header.split(',').map((method) => method.trim()));
  const missing = allow.filter((method) => !named.has(method));
  return missing.length === 0 ? [] : [`The "Allow" header must name ${missing.join(', ')}.`];
}

/** An answer as contracts are checked with. */
export function toHttpResponse({ status, headers, body }: Answer): HttpResponse {
  const byName = Map.groupBy(headers, ([name]) => name);
  const texts = [...byName].map(([name, all]) => [name, all.map(([, value]) => value).join(', ')]);
  return { status, headers: Object.fromEntries(texts), body };
}
