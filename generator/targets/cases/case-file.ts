import { type Case, type CaseFile, type Contract, type Operation, relaxRequired } from '@branchline/contract';
import { planBody } from './body-plan.ts';
import { makeBodyCases } from './body-cases.ts';
import type { Derivation } from './confirmed-mutations.ts';
import { makeMethodCases } from './method-cases.ts';
import { makeAuthenticationCases, makeParameterCases, makeValidCases } from './operation-cases.ts';
import { createValidator } from './validator.ts';
import type { OperationPlan } from './ordinary-request.ts';
import { makeOtherBodies } from './other-bodies.ts';
import { createParameterMutations, planParameters } from './parameter-plan.ts';
import { createSamples } from './samples.ts';
import { createTextCheck, type TextCheck } from './text-check.ts';

/** Derives the cases of a whole contract, in its order. The same contract gives the same cases. */
export function deriveCases(contract: Contract): CaseFile {
  // What only replies hold is not asked of requests.
  const document = relaxRequired(contract.document, 'readOnly');
  const validator = createValidator(document);
  const derivation: Derivation = { document, validator, samples: createSamples(document, validator) };
  const holds = createTextCheck(document);
  const mutations = createParameterMutations(holds);
  const leftOut: CaseFile['leftOut'] = [];
  const plans = contract.operations.flatMap((operation) =>
    planOperation(contract, operation, derivation, { holds, leftOut }),
  );
  const cases = plans.flatMap((plan) => [
    ...makeValidCases(plan),
    ...makeParameterCases(plan, (parameter) => mutations(parameter, derivation)),
    ...makeBodyCases(plan, derivation, holds),
    ...makeAuthenticationCases(plan),
  ]);
  const bodies = plans.flatMap((plan) => plan.body?.bodies ?? []).map(({ name, value }) => [name, value] as const);
  return {
    contract: { source: contract.source },
    bodies: Object.fromEntries(bodies),
    cases: numberRepeatedIds([...cases, ...makeMethodCases(contract, plans)]),
    leftOut,
  };
}

/** A plan, or none where no valid request can be made; what cannot be tried is told in `leftOut`. */
function planOperation(
  contract: Contract,
  operation: Operation,
  derivation: Derivation,
  { holds, leftOut }: { holds: TextCheck } & Pick<CaseFile, 'leftOut'>,
): OperationPlan[] {
  const note = (reason: string): number => leftOut.push({ operationId: operation.id, reason });
  const { plans: parameters, unknown } = planParameters(contract, operation, derivation);
  const body = planBody(contract, operation, derivation, holds);
  const plan: OperationPlan = {
    operation,
    parameters,
    body,
    otherBodies: makeOtherBodies(contract, operation, derivation, body?.bodies.length === 0 ? undefined : body?.media),
  };
  const hasBody = plan.otherBodies.length + (body?.bodies.length ?? 0) > 0;
  for (const { name, in: place } of unknown) note(`No valid value could be made for the ${place} parameter "${name}".`);
  for (const name of body?.wrongExamples ?? []) note(`The example "${name}" does not fit the schema of the body.`);
  if (operation.requestBody !== undefined && !hasBody) note('No valid body could be made.');
  const needsBody = operation.requestBody?.value.required === true && !hasBody;
  const needsParameter = unknown.some(({ required, in: place }) => required === true || place === 'path');
  return needsBody || needsParameter ? [] : [plan];
}

/** Ids stay unique where two rules of a contract would share one. */
function numberRepeatedIds(cases: Case[]): Case[] {
  const seen = new Map<string, number>();
  return cases.map((one) => {
    const count = (seen.get(one.id) ?? 0) + 1;
    seen.set(one.id, count);
    return count === 1 ? one : { ...one, id: `${one.id}-${count}` };
  });
}
