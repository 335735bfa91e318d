import {
  bodyValue,
  type Case,
  type CaseRequest,
  isJson,
  type Json,
  toPointer,
  type Variation,
  writeBody,
} from '@branchline/contract';
import type { NamedBody } from './body-plan.ts';
import { type CaseFactory, createCaseFactory } from './case-factory.ts';
import { type Derivation, type ConfirmedMutation, confirmMutations } from './confirmed-mutations.ts';
import { showsInForm } from './form-plan.ts';
import { type OperationPlan, makeOrdinaryRequest } from './ordinary-request.ts';
import { makeBodyPatch } from './body-patch.ts';
import type { TextCheck } from './text-check.ts';

const about: Variation = { in: 'body' };

/** Everything derived from the body's schema, no body at all, and bodies that cannot be read. */
export function makeBodyCases(plan: OperationPlan, derivation: Derivation, holds: TextCheck): Case[] {
  const ordinary = makeOrdinaryRequest(plan);
  if (ordinary.body === undefined) return [];
  const draft = createCaseFactory(plan);
  return [
    ...makeMutationCases(plan, mutateBody(plan, derivation, holds), draft, ordinary),
    makeAbsentCase(plan, draft, ordinary),
    ...makeMalformedCases(plan, draft, ordinary),
    ...makeMediaTypeCases(plan, draft, ordinary),
  ];
}

/** Of a form, what shows once it is written down. */
function mutateBody({ body }: OperationPlan, derivation: Derivation, holds: TextCheck): ConfirmedMutation[] {
  const [base] = body?.bodies ?? [];
  if (body === undefined || base === undefined) return [];
  const { form, pointer } = body;
  const mutations = confirmMutations(derivation, pointer, base.value);
  return form === undefined
    ? mutations
    : mutations.filter((mutation) => showsInForm(form, base.value, pointer, mutation, holds));
}

function makeMutationCases(
  plan: OperationPlan,
  mutations: readonly ConfirmedMutation[],
  draft: CaseFactory,
  ordinary: CaseRequest,
): Case[] {
  const [base] = plan.body?.bodies ?? [];
  if (base === undefined) return [];
  const most = findByteLimit(plan);
  return mutations.flatMap((mutation) => {
    const varies: Variation = { in: 'body', at: toPointer(mutation.at) };
    const accepted = mutation.valid || mutation.checkedItemwise;
    const request = { ...ordinary, body: makeBodyPatch(base.name, mutation.change) };
    if (countBytes(request, base) > most) return [];
    return [draft(`body/${mutation.id}`, describeMutation(mutation), varies, request, accepted ? undefined : 'body')];
  });
}

function countBytes(request: CaseRequest, { name, value }: NamedBody): number {
  return Buffer.byteLength(writeBody(request, bodyValue(request.body, { [name]: value })) ?? '');
}

/** A larger body is refused for its size, whatever is in it. */
function findByteLimit({ operation }: OperationPlan): number {
  const limit: unknown = operation.requestBody?.value['x-branchline-max-body-bytes'];
  return typeof limit === 'number' ? limit : 1024 * 1024;
}

function describeMutation(mutation: ConfirmedMutation): string {
  const place = mutation.at.length === 0 ? 'body' : `body ${toPointer(mutation.at)}`;
  if (mutation.valid) return `Accepts a request whose ${place} ${mutation.says}.`;
  if (mutation.checkedItemwise)
    return `Judges items one at a time: takes a request of which ${place} ${mutation.says}.`;
  return `Refuses a request whose ${place} ${mutation.says}.`;
}

function makeAbsentCase({ operation }: OperationPlan, draft: CaseFactory, ordinary: CaseRequest): Case {
  const { contentType: _, body: __, ...bodiless } = ordinary;
  return operation.requestBody?.value.required === true
    ? draft('body/missing', 'Refuses a request without its required body.', about, bodiless, 'body')
    : draft('body/absent', 'Accepts a request without its optional body.', about, bodiless);
}

function makeMalformedCases({ body }: OperationPlan, draft: CaseFactory, ordinary: CaseRequest): Case[] {
  if (!isJson(ordinary.contentType ?? '')) return [];
  const whole: Json = body?.bodies[0]?.value ?? {};
  const text = JSON.stringify(whole).slice(0, -1) || '{';
  const title = 'Refuses a body that ends before its JSON does.';
  return [draft('body/malformed', title, about, { ...ordinary, body: { text } }, 'body')];
}

const strangeTypes = ['text/plain', 'application/xml', 'application/x-unknown'];

function makeMediaTypeCases({ operation }: OperationPlan, draft: CaseFactory, ordinary: CaseRequest): Case[] {
  const known = Object.keys(operation.requestBody?.value.content ?? {}).join(' ');
  const strange = known.includes('*') ? undefined : strangeTypes.find((type) => !known.includes(type));
  if (strange === undefined) return [];
  const title = `Refuses a body of the undocumented media type ${strange}.`;
  return [draft('body/media-type', title, about, { ...ordinary, contentType: strange }, 'media-type')];
}
