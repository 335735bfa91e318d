import { isDeepStrictEqual } from 'node:util';
import {
  type Contract,
  isJson,
  type Json,
  type MediaTypeObject,
  type Operation,
  toPointer,
} from '@branchline/contract';
import type { Derivation } from './confirmed-mutations.ts';

/** A valid request body with the name under which cases refer to it. */
export interface NamedBody {
  /** `createBranch/full`, `createBranch/example-kebab`. */
  name: string;
  value: Json;
}

/** The request bodies of an operation. */
export interface BodyPlan {
  contentType: string;
  /** Of the schema. */
  pointer: string;
  /** The first is the base of all changes: it holds the most. */
  bodies: NamedBody[];
  /** Examples of the contract that do not fit its own schema, as sentences. */
  wrongExamples: string[];
}

/** Plans the JSON body of an operation; `undefined` where it takes none, or gives it no schema. */
export function planBody(contract: Contract, operation: Operation, derivation: Derivation): BodyPlan | undefined {
  const { requestBody } = operation;
  const [contentType, media] =
    Object.entries(requestBody?.value.content ?? {}).find(
      ([type, { schema }]) => isJson(type) && schema !== undefined,
    ) ?? [];
  if (requestBody === undefined || contentType === undefined || media === undefined) return undefined;
  const pointer = requestBody.pointer + toPointer(['content', contentType, 'schema']);
  const sampled = (['full', 'minimal'] as const).map((extent) => ({
    name: `${operation.id}/${extent}`,
    value: derivation.samples.of(pointer, extent),
  }));
  const examples = listExamples(contract, operation, media);
  const all = [...sampled, ...examples].flatMap(({ name, value }) =>
    value === undefined || !derivation.validator.accepts(pointer, value) ? [] : [{ name, value }],
  );
  const wrong = examples.filter(({ value }) => !derivation.validator.accepts(pointer, value));
  return {
    contentType,
    pointer,
    bodies: removeDuplicates(all).toSorted((a, b) => measureSize(b) - measureSize(a)),
    wrongExamples: wrong.map(({ name }) => name),
  };
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
