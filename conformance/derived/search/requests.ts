import * as fc from 'fast-check';
import {
  type BodyPatch,
  type Case,
  type CaseRequest,
  type Json,
  type JsonObject,
  isJsonObject,
  type Located,
  mapSchemas,
  type OpenApiDocument,
  type Operation,
  type ParameterObject,
  resolveIn,
  type SchemaValidators,
  schemaValidators,
  serializeParameter,
  toPointer,
  toRequestSchemas,
  valueAtPath,
  withValueAt,
  writeForm,
} from '@branchline/contract';
import type { ContractSession } from '../session.ts';
import { findBodySchema } from '../stateful/fresh-body.ts';
import { edges, edgeTexts, isAlike } from './edges.ts';
import { junk, junkTexts } from './junk.ts';
import { createValues } from './values.ts';

/** Random requests of one operation, as cases. What is no request of that kind after all is `undefined`. */
export interface RandomRequests {
  readonly valid: SearchedRequests;
  readonly invalid: SearchedRequests;
}

export interface SearchedRequests {
  readonly random: fc.Arbitrary<Case | undefined>;
  /** These are sent whatever the seed. */
  readonly edges: readonly EdgeRequest[];
}

/** A request with a value of the edge in each place that it fits. */
export interface EdgeRequest {
  readonly everywhere: Case;
  /** The same in one place at a time. */
  readonly one: readonly Case[];
}

/** A parameter with a schema, and the pointer of that. */
interface Parameter {
  readonly parameter: ParameterObject;
  readonly pointer: string;
  readonly isObject: boolean;
}

/** Judges what is sent, as values and as the text that parameters become. */
export interface RequestValidators {
  readonly values: SchemaValidators;
  readonly texts: SchemaValidators;
}

/** The items of an array that is judged item by item make no request invalid. */
export function createRequestValidators({ document }: ContractSession): RequestValidators {
  const open = mapSchemas(toRequestSchemas(document), (schema) =>
    'x-branchline-each' in schema ? { ...schema, items: true } : schema,
  );
  return { values: schemaValidators(open), texts: schemaValidators(open, { fromText: true }) };
}

/** @returns nothing where the operation takes nothing that could be chosen. */
export function planRandomRequests(
  session: ContractSession,
  validators: RequestValidators,
  operation: Operation,
  ordinary: Case,
): RandomRequests | undefined {
  const parameters = operation.parameters.flatMap((parameter) => toParameter(session.document, parameter));
  const free = parameters.filter(({ parameter }) => parameter.in === 'query' || parameter.in === 'header');
  const inPath = parameters.findLast(({ parameter }) => parameter.in === 'path');
  const body = findBodySchema(session, operation.id);
  if (free.length === 0 && inPath === undefined && body === undefined) return undefined;
  const schemaAt = (pointer: string): unknown => ({ $ref: `#${pointer}` });
  const valuesFor = createValues(session.document);
  const values = (pointer: string): fc.Arbitrary<Json> => valuesFor(schemaAt(pointer));

  const chosen: fc.Arbitrary<Chosen> = fc.record({
    parameters: fc.record(Object.fromEntries(free.map((one) => [keyOf(one), chooseValue(one, values(one.pointer))]))),
    path:
      inPath === undefined ? fc.constant(undefined) : fc.option(values(inPath.pointer), { nil: undefined, freq: 1 }),
    body: body === undefined ? fc.constant(undefined) : values(body),
  });
  const plan: Plan = { ordinary, free, inPath, body, validators };
  const base = findFullest(plan, chosen);
  return {
    valid: {
      edges: base === undefined ? [] : edges.flatMap((edge) => putEdge(plan, base, edge) ?? []),
      random: chosen.map((some) => (isValid(plan, some) ? toCase(plan, some) : undefined)),
    },
    invalid: {
      edges: base === undefined ? [] : edgeTexts.flatMap((text) => breakByEdge(plan, base, text) ?? []),
      random: fc
        .record({ some: chosen, where: fc.nat(), put: junk, text: junkTexts })
        .map(({ some, where, put, text }) => breakOne(plan, { ...some, path: undefined }, where, put, text)),
    },
  };
}

/** How many requests are looked at for the one that says most. */
const LOOKED_AT = 30;

/** The valid request that says most, of some; with the path of the ordinary one. */
function findFullest(plan: Plan, chosen: fc.Arbitrary<Chosen>): Chosen | undefined {
  return fc
    .sample(chosen, { numRuns: LOOKED_AT, seed: 1 })
    .map((some) => ({ ...some, path: undefined }))
    .filter((some) => isValid(plan, some))
    .toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0];
}

/** The request with a value in the places where it may stand; `undefined` where there is none. */
function putEdge(plan: Plan, base: Chosen, edge: Json): EdgeRequest | undefined {
  const { free, inPath, body } = plan;
  const changes: ((some: Chosen) => Chosen | undefined)[] = [
    ...free.flatMap((one) =>
      [edge, [edge]].map((value) => (some: Chosen) => ({
        ...some,
        parameters: { ...some.parameters, [keyOf(one)]: value },
      })),
    ),
    ...(inPath === undefined ? [] : [(some: Chosen) => ({ ...some, path: edge })]),
    ...(body === undefined || base.body === undefined ? [] : listPlaces(base.body)).map((at) => (some: Chosen) => {
      const isThere = some.body !== undefined && isAlike(edge, valueAtPath(some.body, at) as Json | undefined);
      return isThere ? { ...some, body: withValueAt(some.body, at, edge) } : undefined;
    }),
  ];
  const apply = (some: Chosen, change: (some: Chosen) => Chosen | undefined): Chosen => {
    const changed = change(some);
    return changed !== undefined && isValid(plan, changed) ? changed : some;
  };
  const everywhere = changes.reduce(apply, base);
  if (everywhere === base) return undefined;
  const one = changes.map((change) => apply(base, change)).filter((some) => some !== base);
  return { everywhere: toCase(plan, everywhere), one: one.map((some) => toCase(plan, some)) };
}

/** The request with a text as the parameters that do not take it; `undefined` where there is none. */
function breakByEdge(plan: Plan, base: Chosen, text: string): EdgeRequest | undefined {
  const { free, inPath, validators } = plan;
  const broken = [...free, ...(inPath === undefined ? [] : [inPath])].filter(
    ({ parameter, pointer, isObject }) =>
      !isObject && serializeParameter(asText(parameter), text) !== undefined && !validators.texts(pointer)(text),
  );
  if (broken.length === 0) return undefined;
  const breakThese = (some: readonly Parameter[]): Case => ({
    ...toCase(plan, base, Object.fromEntries(some.map((one) => [keyOf(one), text]))),
    mistake: some.every((one) => one === inPath) ? 'path' : 'parameter',
    expect: ANY_REFUSAL,
  });
  return { everywhere: breakThese(broken), one: broken.map((one) => breakThese([one])) };
}

interface Plan {
  readonly ordinary: Case;
  readonly free: readonly Parameter[];
  /** The last of the path: those before it have values that the server knows. */
  readonly inPath: Parameter | undefined;
  /** The pointer of its schema. */
  readonly body: string | undefined;
  readonly validators: RequestValidators;
}

interface Chosen {
  readonly parameters: Record<string, Json | undefined>;
  readonly path: Json | undefined;
  readonly body: Json | undefined;
}

function toParameter(document: OpenApiDocument, { value: parameter, pointer }: Located<ParameterObject>): Parameter[] {
  const isIssued = [parameter, parameter.schema].some((owner) => 'x-branchline-issued' in Object(owner));
  if (parameter.schema === undefined || isIssued) return [];
  const { value: schema } = resolveIn(document, parameter.schema);
  const isObject = [Object(schema).type].flat().includes('object');
  return [{ parameter, pointer: pointer + toPointer(['schema']), isObject }];
}

function keyOf({ parameter }: Parameter): string {
  return `${parameter.in} ${parameter.name}`;
}

function chooseValue({ parameter }: Parameter, values: fc.Arbitrary<Json>): fc.Arbitrary<Json | undefined> {
  return parameter.required === true ? values : fc.option(values, { nil: undefined, freq: 2 });
}

function isValid(plan: Plan, some: Chosen): boolean {
  const { free, inPath, body, validators } = plan;
  const fits = ({ parameter, pointer }: Parameter, value: Json | undefined): boolean => {
    if (value === undefined) return true;
    const carried = serializeParameter(parameter, value);
    return (
      carried !== undefined &&
      validators.values(pointer)(value) &&
      validators.texts(pointer)(structuredClone(carried.read))
    );
  };
  return (
    free.every((one) => fits(one, some.parameters[keyOf(one)])) &&
    (inPath === undefined || fits(inPath, some.path)) &&
    (body === undefined || some.body === undefined || fitsBody(plan, body, some.body) === true)
  );
}

/** Of a form, as a value and as the texts that it becomes; `undefined` where these differ, or it can't hold the value. */
function fitsBody({ ordinary, validators }: Plan, pointer: string, value: Json): boolean | undefined {
  const { form } = ordinary.request;
  const fits = validators.values(pointer)(value);
  if (form === undefined) return fits;
  const written = writeForm(form, value);
  return written !== undefined && validators.texts(pointer)(written.read) === fits ? fits : undefined;
}

function toCase({ ordinary, free, inPath, body }: Plan, some: Chosen, texts: Record<string, string> = {}): Case {
  const { authentication, path, contentType, form, body: plain } = ordinary.request;
  const carried = [
    ...free.map((one) => carry(one, some.parameters[keyOf(one)], texts[keyOf(one)])),
    ...(inPath === undefined ? [] : [carry(inPath, some.path, texts[keyOf(inPath)])]),
  ];
  const chosen: BodyPatch | undefined =
    body === undefined || some.body === undefined || plain === undefined || 'text' in plain
      ? undefined
      : { base: plain.base, at: '', value: some.body };
  const isPathChosen = inPath !== undefined && (some.path !== undefined || keyOf(inPath) in texts);
  const part = <K extends 'path' | 'query' | 'headers'>(key: K): object => {
    const values = Object.assign({}, key === 'path' ? path : {}, ...carried.map((request) => request[key]));
    return Object.keys(values).length === 0 ? {} : { [key]: values };
  };
  return {
    ...ordinary,
    varies: isPathChosen ? { in: 'path', at: inPath.parameter.name } : { in: 'nothing' },
    request: {
      authentication,
      ...part('path'),
      ...part('query'),
      ...part('headers'),
      ...(contentType === undefined ? {} : { contentType }),
      ...(form === undefined ? {} : { form }),
      ...(plain === undefined ? {} : { body: chosen ?? plain }),
    },
  };
}

function carry(
  { parameter }: Parameter,
  value: Json | undefined,
  text: string | undefined,
): Pick<CaseRequest, 'path' | 'query' | 'headers'> {
  const written = text ?? value;
  return written === undefined
    ? {}
    : (serializeParameter(text === undefined ? parameter : asText(parameter), written)?.request ?? {});
}

/** Whatever its schema says. */
function asText({ name, in: place }: ParameterObject): ParameterObject {
  return { name, in: place };
}

/** The request with one thing in it that the contract does not allow. */
function breakOne(plan: Plan, some: Chosen, where: number, put: Json | undefined, text: string): Case | undefined {
  if (!isValid(plan, some)) return undefined;
  const { free, inPath, body, validators } = plan;
  const parameters = [...free, ...(inPath === undefined ? [] : [inPath])];
  const places = some.body === undefined ? [] : listPlaces(some.body);
  const index = where % (parameters.length + places.length);
  const parameter = parameters[index];
  if (parameter !== undefined) {
    const carried = serializeParameter(asText(parameter.parameter), text);
    // A text under the name of an object in a query is another key of the query.
    if (carried === undefined || parameter.isObject || validators.texts(parameter.pointer)(text)) return undefined;
    const mistake = parameter === inPath ? 'path' : 'parameter';
    return { ...toCase(plan, some, { [keyOf(parameter)]: text }), mistake, expect: ANY_REFUSAL };
  }
  const at = places[index - parameters.length];
  const changed = at === undefined || some.body === undefined ? undefined : withValueAt(some.body, at, put);
  if (body === undefined || changed === undefined || fitsBody(plan, body, changed) !== false) return undefined;
  return { ...toCase(plan, { ...some, body: changed }), mistake: 'body', expect: ANY_REFUSAL };
}

/** Which status a random mistake is to be answered with, no contract says. */
const ANY_REFUSAL = { statuses: [] };

/** Every place in a value, itself among them. */
function listPlaces(value: Json, at: readonly string[] = []): string[][] {
  const inside: JsonObject | Json[] = typeof value === 'object' && value !== null ? value : [];
  const children = Object.entries(inside).flatMap(([name, child]) => listPlaces(child, [...at, name]));
  return [[...at], ...(isJsonObject(value) || Array.isArray(value) ? children : [])];
}
