import { type Case, toPointer, type Variation } from '@branchline/contract';
import { drafting } from './case-factory.ts';
import { type OperationPlan, asksForCredentials, ordinaryRequest, withParameter } from './ordinary-request.ts';
import { type ParameterFinding, type ParameterPlan, isIssued } from './parameter-plan.ts';

/** Requests without any mistake: each valid body, and every optional parameter at once. */
export function validCases(plan: OperationPlan): Case[] {
  const draft = drafting(plan);
  const about: Variation = { in: 'nothing' };
  const ordinary = ordinaryRequest(plan);
  const bodies = (plan.body?.bodies ?? []).map(({ name }, index) => {
    const kind = name.slice(plan.operation.id.length + 1);
    return draft(`valid/${kind}`, `Accepts the valid body "${kind}".`, about, ordinaryRequest(plan, { body: index }));
  });
  const others = plan.otherBodies.map(({ media, contentType, text }) =>
    draft(`valid/${media}`, `Accepts a body as ${media}.`, about, { ...ordinary, contentType, body: { text } }),
  );
  const plain =
    bodies.length + others.length > 0 ? [] : [draft('valid/plain', 'Accepts a plain valid request.', about, ordinary)];
  return [...plain, ...bodies, ...others, ...allParameters(plan)];
}

function allParameters(plan: OperationPlan): Case[] {
  const optional = plan.parameters.filter(({ parameter }) => parameter.required !== true && !isIssued(parameter));
  if (optional.length === 0) return [];
  const all = optional.reduce((request, { carried }) => withParameter(request, carried), ordinaryRequest(plan));
  const title = 'Accepts every optional parameter at once.';
  return [drafting(plan)('valid/all-parameters', title, { in: 'nothing' }, all)];
}

/** Everything derived from the schemas of the parameters. */
export function parameterCases(
  plan: OperationPlan,
  findingsOf: (parameter: ParameterPlan) => ParameterFinding[],
): Case[] {
  const draft = drafting(plan);
  return plan.parameters.flatMap((one) => {
    const { name, in: place } = one.parameter;
    const varies: Variation = { in: place, at: name };
    const mistake = place === 'path' ? 'path' : 'parameter';
    const without = ordinaryRequest(plan, { except: one });
    const derived = findingsOf(one).map((finding) =>
      draft(
        `${place}/${name}/${finding.id}`,
        parameterTitle(one, finding),
        varies,
        withParameter(without, finding.carried),
        finding.valid ? undefined : mistake,
      ),
    );
    if (one.parameter.required !== true || place === 'path') return derived;
    const title = `Refuses a request without the required ${place} parameter "${name}".`;
    return [...derived, draft(`${place}/${name}/required`, title, varies, without, 'parameter')];
  });
}

function parameterTitle({ parameter }: ParameterPlan, finding: ParameterFinding): string {
  const inside = finding.at.length === 0 ? '' : ` at ${toPointer(finding.at)}`;
  const verb = finding.valid ? 'Accepts' : 'Refuses';
  return `${verb} a request whose ${parameter.in} parameter "${parameter.name}"${inside} ${finding.says}.`;
}

/** No credentials, and credentials that nobody was given. */
export function authenticationCases(plan: OperationPlan): Case[] {
  if (!asksForCredentials(plan.operation)) return [];
  const draft = drafting(plan);
  const ordinary = ordinaryRequest(plan);
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
