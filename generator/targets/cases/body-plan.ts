import { isDeepStrictEqual } from 'node:util';
import {
  type Contract,
  type FormPlan,
  isJson,
  type Json,
  type MediaTypeObject,
  nameFormType,
  type Operation,
  toPointer,
  writeForm,
} from '@branchline/contract';
import type { Derivation } from './confirmed-mutations.ts';
import { giveFiles, planForm } from './form-plan.ts';
import type { TextCheck } from './text-check.ts';

/** A valid request body with the name under which cases refer to it. */
export interface NamedBody {
  /** `createBranch/full`, `createBranch/example-kebab`. */
  name: string;
  value: Json;
}

/** The request bodies of an operation. */
export interface BodyPlan {
  /** The media type as documented. */
  media: string;
  contentType: string;
  /** How it is written where it is no JSON. */
  form?: FormPlan;
  /** Of the schema. */
  pointer: string;
  /** The first is the base of all changes: it holds the most. */
  bodies: NamedBody[];
  /** Examples of the contract that do not fit its own schema, as sentences. */
  wrongExamples: string[];
}

/** Plans the JSON body of an operation, else its form; `undefined` where it takes neither, or gives it no schema. */
export function planBody(
  contract: Contract,
  operation: Operation,
  derivation: Derivation,
  holds: TextCheck,
): BodyPlan | undefined {
  const { requestBody } = operation;
  const [type, media] = chooseMedia(contract, requestBody?.value.content ?? {}) ?? [];
  if (requestBody === undefined || type === undefined || media === undefined) return undefined;
  const form = planForm(contract, type, media);
  const pointer = requestBody.pointer + toPointer(['content', type, 'schema']);
  const accepts = (value: Json): boolean => {
    if (!derivation.validator.accepts(pointer, value)) return false;
    const written = form === undefined ? undefined : writeForm(form, value);
    return form === undefined || (written !== undefined && holds(pointer, written.read, { valid: true }));
  };
  const sample = (extent: 'full' | 'minimal'): Json | undefined => {
    const value = derivation.samples.of(pointer, extent);
    return form === undefined || value === undefined ? value : giveFiles(form, value);
  };
  const sampled = (['full', 'minimal'] as const).map((extent) => ({
    name: `${operation.id}/${extent}`,
    value: sample(extent),
  }));
  const examples = listExamples(contract, operation, media);
  const all = [...sampled, ...examples].flatMap(({ name, value }) =>
    value === undefined || !accepts(value) ? [] : [{ name, value }],
  );
  const wrong = examples.filter(({ value }) => !accepts(value));
  return {
    media: type,
    contentType: form === undefined ? type : nameFormType(form),
    ...(form === undefined ? {} : { form }),
    pointer,
    bodies: removeDuplicates(all).toSorted((a, b) => measureSize(b) - measureSize(a)),
    wrongExamples: wrong.map(({ name }) => name),
  };
}

/** The one whose values can be derived from. */
function chooseMedia(
  contract: Contract,
  content: Readonly<Record<string, MediaTypeObject>>,
): [string, MediaTypeObject] | undefined {
  const described = Object.entries(content).filter(([, { schema }]) => schema !== undefined);
  return (
    described.find(([type]) => isJson(type)) ??
    described.find(([type, media]) => planForm(contract, type, media) !== undefined)
  );
}

function listExamples(contract: Contract, operation: Operation, media: MediaTypeObject): NamedBody[] {
  const named = Object.entries(media.examples ?? {}).map(([name, example]) => ({
    name: `${operation.id}/example-${name}`,
    value: contract.resolve<{ value?: unknown }>(example).value,
  }));
  const one = { name: `${operation.id}/example`, value: media.example };
  return [one, ...named].filter(({ value }) => value !== undefined) as NamedBody[];
}

function removeDuplicates(bodies: NamedBody[]): NamedBody[] {
  return bodies.filter(
    (body, index) => bodies.findIndex((other) => isDeepStrictEqual(other.value, body.value)) === index,
  );
}

function measureSize({ value }: NamedBody): number {
  return JSON.stringify(value).length;
}
