import { type Case, documentedStatus, type Mistake, type Operation } from '@branchline/contract';

/** A kind of mistake in a request; the statuses are those by which HTTP answers it. */
const ANSWERS: Readonly<Record<Mistake, readonly number[]>> = {
  body: [400, 422],
  parameter: [400, 422],
  /** A value that no resource can have may also be answered as one that no resource has, to whom it belongs not. */
  path: [400, 401, 403, 404, 422],
  'media-type': [415, 400],
  credentials: [401, 403],
  method: [405],
};

type ExpectedOutcome = Pick<Case, 'mistake' | 'level' | 'expect'>;

/** The documented answers to a mistake. Where the contract documents none, the case is only observed. */
export function expectRefusal(operation: Operation, mistake: Mistake): ExpectedOutcome {
  return { mistake, ...expectStatuses(ANSWERS[mistake].filter((status) => documents(operation, status))) };
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
