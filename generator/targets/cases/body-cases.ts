import {
  type BodyRecipe,
  bodyText,
  type Case,
  type CaseRequest,
  isJson,
  type Json,
  toPointer,
  type Variation,
} from '@branchline/contract';
import type { NamedBody } from './body-plan.ts';
import { type Draft, drafting } from './case-factory.ts';
import { type Derivation, type Finding, findingsFor } from './confirmed-mutations.ts';
import { type OperationPlan, ordinaryRequest } from './ordinary-request.ts';
import { recipe } from './body-patch.ts';

const about: Variation = { in: 'body' };

/** Everything derived from the body's schema, no body at all, and bodies that cannot be read. */
export function bodyCases(plan: OperationPlan, derivation: Derivation): Case[] {
  const ordinary = ordinaryRequest(plan);
  if (ordinary.body === undefined) return [];
  const draft = drafting(plan);
  return [
    ...derivedCases(plan, derivation, draft, ordinary),
    absentCase(plan, draft, ordinary),
    ...malformedCases(plan, draft, ordinary),
    ...mediaTypeCases(plan, draft, ordinary),
  ];
}

function derivedCases(plan: OperationPlan, derivation: Derivation, draft: Draft, ordinary: CaseRequest): Case[] {
  const { body } = plan;
  const [base] = body?.bodies ?? [];
  if (body === undefined || base === undefined) return [];
  const most = byteLimit(plan);
  return findingsFor(derivation, body.pointer, base.value).flatMap((finding) => {
    const changed = recipe(base.name, finding.change);
    if (bytes(changed, base) > most) return [];
    const varies: Variation = { in: 'body', at: toPointer(finding.at) };
    const accepted = finding.valid || finding.judgedApart;
    const request = { ...ordinary, body: changed };
    return [draft(`body/${finding.id}`, bodyTitle(finding), varies, request, accepted ? undefined : 'body')];
  });
}

function bytes(changed: BodyRecipe, { name, value }: NamedBody): number {
  return Buffer.byteLength(bodyText(changed, { [name]: value }));
}

/** A larger body is refused for its size, whatever is in it. */
function byteLimit({ operation }: OperationPlan): number {
  const limit: unknown = operation.requestBody?.value['x-branchline-max-body-bytes'];
  return typeof limit === 'number' ? limit : 1024 * 1024;
}

function bodyTitle(finding: Finding): string {
  const place = finding.at.length === 0 ? 'body' : `body ${toPointer(finding.at)}`;
  if (finding.valid) return `Accepts a request whose ${place} ${finding.says}.`;
  if (finding.judgedApart) return `Judges items one at a time: takes a request of which ${place} ${finding.says}.`;
  return `Refuses a request whose ${place} ${finding.says}.`;
}

function absentCase({ operation }: OperationPlan, draft: Draft, ordinary: CaseRequest): Case {
  const { contentType: _, body: __, ...bodiless } = ordinary;
  return operation.requestBody?.value.required === true
    ? draft('body/missing', 'Refuses a request without its required body.', about, bodiless, 'body')
    : draft('body/absent', 'Accepts a request without its optional body.', about, bodiless);
}

function malformedCases({ body }: OperationPlan, draft: Draft, ordinary: CaseRequest): Case[] {
  if (!isJson(ordinary.contentType ?? '')) return [];
  const whole: Json = body?.bodies[0]?.value ?? {};
  const text = JSON.stringify(whole).slice(0, -1) || '{';
  const title = 'Refuses a body that ends before its JSON does.';
  return [draft('body/malformed', title, about, { ...ordinary, body: { text } }, 'body')];
}

const strangeTypes = ['text/plain', 'application/xml', 'application/x-unknown'];

function mediaTypeCases({ operation }: OperationPlan, draft: Draft, ordinary: CaseRequest): Case[] {
  const known = Object.keys(operation.requestBody?.value.content ?? {}).join(' ');
  const strange = known.includes('*') ? undefined : strangeTypes.find((type) => !known.includes(type));
  if (strange === undefined) return [];
  const title = `Refuses a body of the undocumented media type ${strange}.`;
  return [draft('body/media-type', title, about, { ...ordinary, contentType: strange }, 'media-type')];
}
