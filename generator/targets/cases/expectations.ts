import { type Case, documentedStatus, type Mistake, type Operation, refusals } from '@branchline/contract';

type ExpectedOutcome = Pick<Case, 'mistake' | 'level' | 'expect'>;

/** The documented answers to a mistake. Where the contract documents none, the case is only observed. */
export function expectRefusal(operation: Operation, mistake: Mistake): ExpectedOutcome {
  return { mistake, ...expectStatuses(refusals[mistake].filter((status) => documents(operation, status))) };
}

/** The documented answers to a request without a mistake. */
export function expectSuccess(operation: Operation): ExpectedOutcome {
  const statuses = operation.responses.map(({ status }) => status);
  const exact = (digit: string): number[] =>
    statuses.filter((one) => /^\d{3}$/.test(one) && one.startsWith(digit)).map(Number);
  const ranges = statuses.filter((status) => /^2xx$/i.test(status)).map(() => '2XX');
  const found = [...exact('2'), ...ranges];
  if (found.length > 0) return expectStatuses(found);
  if (statuses.includes('default')) return expectStatuses(['2XX']);
  return expectStatuses(exact('3'));
}

function documents(operation: Operation, status: number): boolean {
  const responses = Object.fromEntries(operation.responses.map((response) => [response.status, response.value]));
  return documentedStatus(responses, status) !== undefined;
}

function expectStatuses(statuses: (number | string)[]): ExpectedOutcome {
  return { level: statuses.length === 0 ? 'observed' : 'required', expect: { statuses } };
}
