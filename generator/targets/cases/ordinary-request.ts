import type { CaseRequest, Operation, SerializedParameter } from '@branchline/contract';
import type { BodyPlan } from './body-plan.ts';
import type { OtherBody } from './other-bodies.ts';
import type { ParameterPlan } from './parameter-plan.ts';

/** What an operation's cases are made from. */
export interface OperationPlan {
  operation: Operation;
  parameters: ParameterPlan[];
  /** The body with everything that is derived from it. */
  body: BodyPlan | undefined;
  /** Bodies of other media types. */
  otherBodies: OtherBody[];
}

/** The plainest valid request: the required parameters, the base body, valid credentials. */
export function makeOrdinaryRequest(
  plan: OperationPlan,
  { body = 0, except }: { body?: number; except?: ParameterPlan } = {},
): CaseRequest {
  const required = plan.parameters.filter(({ parameter }) => parameter.required === true || parameter.in === 'path');
  return {
    authentication: asksForCredentials(plan.operation) ? 'valid' : 'none',
    ...mergeCarried(required.filter((one) => one !== except).map((one) => one.carried)),
    ...makeOrdinaryBody(plan, body),
  };
}

function makeOrdinaryBody(
  { body, otherBodies }: OperationPlan,
  index: number,
): Pick<CaseRequest, 'contentType' | 'form' | 'body'> {
  const base = body?.bodies[index];
  if (body !== undefined && base !== undefined) {
    const { contentType, form } = body;
    return { contentType, ...(form === undefined ? {} : { form }), body: { base: base.name } };
  }
  const [other] = otherBodies;
  return other === undefined ? {} : { contentType: other.contentType, body: { text: other.text } };
}

/** Whether every way to call the operation takes credentials. */
export function asksForCredentials(operation: Operation): boolean {
  return (
    operation.security.length > 0 && operation.security.every((requirement) => Object.keys(requirement).length > 0)
  );
}

/** A request with one more parameter. */
export function addParameter(request: CaseRequest, carried: SerializedParameter): CaseRequest {
  return { ...request, ...mergeCarried([{ request, read: null }, carried]) };
}

function mergeCarried(all: SerializedParameter[]): Pick<CaseRequest, 'path' | 'query' | 'headers'> {
  const part = <K extends 'path' | 'query' | 'headers'>(key: K): Pick<CaseRequest, K> => {
    const values = Object.assign({}, ...all.map(({ request }) => request[key])) as NonNullable<CaseRequest[K]>;
    return (Object.keys(values).length === 0 ? {} : { [key]: values }) as Pick<CaseRequest, K>;
  };
  return { ...part('path'), ...part('query'), ...part('headers') };
}
