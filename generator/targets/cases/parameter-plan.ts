import {
  type Contract,
  isJsonObject,
  type Json,
  type Located,
  type Operation,
  type ParameterObject,
  type SerializedParameter,
  serializeParameter,
  toPointer,
  withValueAt,
} from '@branchline/contract';
import { type Derivation, type ConfirmedMutation, confirmMutations } from './confirmed-mutations.ts';
import type { TextCheck } from './text-check.ts';

/** A parameter with a valid value. */
export interface ParameterPlan {
  parameter: ParameterObject;
  /** Of its schema. */
  pointer: string;
  value: Json;
  carried: SerializedParameter;
  /** What stands for it where it is left out, be it required or not. */
  hasDefault: boolean;
}

/** A mutation in a parameter, as it travels. */
export interface ParameterMutation extends ConfirmedMutation {
  carried: SerializedParameter;
}

export interface ParameterPlans {
  plans: ParameterPlan[];
  /** Parameters for which the contract gives no valid value that can travel. */
  unknown: ParameterObject[];
}

export function planParameters(contract: Contract, operation: Operation, derivation: Derivation): ParameterPlans {
  const planned = operation.parameters.map((parameter) => planParameter(contract, parameter, derivation));
  return {
    plans: planned.filter((plan) => 'carried' in plan),
    unknown: planned.filter((plan) => !('carried' in plan)).map((plan) => plan.parameter),
  };
}

function planParameter(
  contract: Contract,
  { pointer: place, value: parameter }: Located<ParameterObject>,
  derivation: Derivation,
): ParameterPlan | { parameter: ParameterObject } {
  const [media, owner] = Object.entries(parameter.content ?? {})[0] ?? [undefined, parameter];
  if (owner.schema === undefined) return { parameter };
  const pointer = place + toPointer(media === undefined ? ['schema'] : ['content', media, 'schema']);
  const schema = contract.resolve<unknown>(owner.schema);
  const hasDefault = isJsonObject(schema) && 'default' in schema;
  const examples = listExamples(contract, owner);
  const values = [...examples, derivation.samples.of(pointer, 'full')].filter((value) => value !== undefined);
  for (const value of values) {
    const carried = derivation.validator.accepts(pointer, value) ? serializeParameter(parameter, value) : undefined;
    if (carried !== undefined) return { parameter, pointer, value, carried, hasDefault };
  }
  return { parameter };
}

/** The values of `example` and `examples` of a parameter or media type, in order. */
export function listExamples(
  contract: Contract,
  owner: { example?: unknown; examples?: ParameterObject['examples'] },
): Json[] {
  const named = Object.values(owner.examples ?? {}).map(
    (example) => contract.resolve<{ value?: unknown }>(example).value,
  );
  return [owner.example, ...named].filter((value) => value !== undefined) as Json[];
}

/** Whether only the service can give a value out (a cursor, say), so that no made-up one is valid. */
export function isIssued(parameter: ParameterObject): boolean {
  const schema = isJsonObject(parameter.schema) ? parameter.schema : {};
  return [parameter, schema].some((owner) => typeof owner['x-branchline-issued'] === 'string');
}

/** The longest text that a parameter carries once encoded: RFC 9110, 4.1 asks servers for URIs of 8,000 octets only. */
const longest = 7000;

/**
 * Gives the mutations of a parameter that still hold once the value has become text. A value of a path parameter names a resource,
 * so of the valid ones only the listed values of an `enum` remain; of values that the service issues none do.
 */
export function createParameterMutations(
  holds: TextCheck,
): (plan: ParameterPlan, derivation: Derivation) => ParameterMutation[] {
  return (plan, derivation) =>
    confirmMutations(derivation, plan.pointer, plan.value).flatMap((mutation) => {
      if (mutation.valid && !isPlausible(plan.parameter, mutation)) return [];
      const value = withValueAt(plan.value, mutation.change.at, mutation.change.put);
      // A text under the name of an object in a query is another key of the query.
      const isOther = plan.parameter.in === 'query' && isJsonObject(plan.value) && !isJsonObject(value);
      const carried = value === undefined || isOther ? undefined : serializeParameter(plan.parameter, value);
      if (carried === undefined || measureEncoded(carried) > longest) return [];
      return holds(plan.pointer, carried.read, mutation) ? [{ ...mutation, carried }] : [];
    });
}

function isPlausible(parameter: ParameterObject, { id }: ConfirmedMutation): boolean {
  return !isIssued(parameter) && (parameter.in !== 'path' || id.includes('enum-'));
}

function measureEncoded({ request }: SerializedParameter): number {
  return encodeURIComponent(JSON.stringify(request)).length;
}
