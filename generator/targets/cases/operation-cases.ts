import { type Case, toPointer, type Variation } from '@branchline/contract';
import { createCaseFactory } from './case-factory.ts';
import { type OperationPlan, asksForCredentials, makeOrdinaryRequest, addParameter } from './ordinary-request.ts';
import { type ParameterMutation, type ParameterPlan, isIssued } from './parameter-plan.ts';

/** Requests without any mistake: each valid body, and every optional parameter at once. */
export function makeValidCases(plan: OperationPlan): Case[] {
  const draft = createCaseFactory(plan);
  const about: Variation = { in: 'nothing' };
  const ordinary = makeOrdinaryRequest(plan);
  const bodies = (plan.body?.bodies ?? []).map(({ name }, index) => {
    const kind = name.slice(plan.operation.id.length + 1);
    return draft(
      `valid/${kind}`,
      `Accepts the valid body "${kind}".`,
      about,
      makeOrdinaryRequest(plan, { body: index }),
    );
  });
  const others = plan.otherBodies.map(({ media, contentType, text }) =>
    draft(`valid/${media}`, `Accepts a body as ${media}.`, about, { ...ordinary, contentType, body: { text } }),
  );
  const plain =
    bodies.length + others.length > 0 ? [] : [draft('valid/plain', 'Accepts a plain valid request.', about, ordinary)];
  return [...plain, ...bodies, ...others, ...makeAllParametersCase(plan)];
}

function makeAllParametersCase(plan: OperationPlan): Case[] {
  const optional = plan.parameters.filter(({ parameter }) => parameter.required !== true && !isIssued(parameter));
  if (optional.length === 0) return [];
  const all = optional.reduce((request, { carried }) => addParameter(request, carried), makeOrdinaryRequest(plan));
  const title = 'Accepts every optional parameter at once.';
  return [createCaseFactory(plan)('valid/all-parameters', title, { in: 'nothing' }, all)];
}

/** Everything derived from the schemas of the parameters. */
export function makeParameterCases(
  plan: OperationPlan,
  mutate: (parameter: ParameterPlan) => ParameterMutation[],
): Case[] {
  const draft = createCaseFactory(plan);
  return plan.parameters.flatMap((one) => {
    const { name, in: place } = one.parameter;
    const varies: Variation = { in: place, at: name };
    const mistake = place === 'path' ? 'path' : 'parameter';
    const without = makeOrdinaryRequest(plan, { except: one });
    const derived = mutate(one).map((mutation) =>
      draft(
        `${place}/${name}/${mutation.id}`,
        describeMutation(one, mutation),
        varies,
        addParameter(without, mutation.carried),
        mutation.valid ? undefined : mistake,
      ),
    );
    if (one.parameter.required !== true || place === 'path' || one.hasDefault) return derived;
    const title = `Refuses a request without the required ${place} parameter "${name}".`;
    return [...derived, draft(`${place}/${name}/required`, title, varies, without, 'parameter')];
  });
}

function describeMutation({ parameter }: ParameterPlan, mutation: ParameterMutation): string {
  const inside = mutation.at.length === 0 ? '' : ` at ${toPointer(mutation.at)}`;
  const verb = mutation.valid ? 'Accepts' : 'Refuses';
  return `${verb} a request whose ${parameter.in} parameter "${parameter.name}"${inside} ${mutation.says}.`;
}

/** No credentials, and credentials that nobody was given. */
export function makeAuthenticationCases(plan: OperationPlan): Case[] {
  if (!asksForCredentials(plan.operation)) return [];
  const draft = createCaseFactory(plan);
  const ordinary = makeOrdinaryRequest(plan);
  const varies: Variation = { in: 'authentication' };
  return [
    draft(
      'authentication/missing',
      'Refuses a request without credentials.',
      varies,
      { ...ordinary, authentication: 'missing' },
      'credentials',
    ),
    draft(
      'authentication/wrong',
      'Refuses a request with wrong credentials.',
      varies,
      { ...ordinary, authentication: 'wrong' },
      'credentials',
    ),
  ];
}
