import {
  type Contract,
  type DocumentedResponse,
  isJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type Operation,
  pointerTo,
  withValueAt,
} from '@branchline/contract';
import { type ErrorPlan, type OperationPlan, writeHeader } from '@branchline/runtime';
import { stripParameters } from '../../typescript/media-types.ts';
import { isExploded, planOperation } from '../../typescript/operation-plan.ts';
import { makeRequiredHeaders, readFittingExample, type ReplySamples } from './example-reply.ts';

/** The fields in which errors say what was wrong, the most telling first. */
const SENTENCES = ['detail', 'message', 'error_description', 'description', 'msg', 'reason', 'error', 'title'];
const STATUSES = ['status', 'statusCode', 'status_code', 'code'];
/** Fields of an error that are told too where the contract knows them (RFC 9457). */
const TOLD = new Set([...SENTENCES, ...STATUSES, 'type']);

const SENTENCE = 'The body lacks the field "name".';

/**
 * How a documented error is told: by its example, or a value made of its schema, in which one field takes the sentence.
 *
 * @returns nothing where `{ "error": sentence }` is what is documented, or the response documents nothing that a sentence fits in.
 */
export function planError(
  contract: Contract,
  response: DocumentedResponse,
  replies: ReplySamples,
): ErrorPlan | undefined {
  const plan = planDocumentedError(contract, response, replies);
  return plan === undefined || isPlain(plan) ? undefined : plan;
}

/** The same, `{ "error": sentence }` too. */
export function planDocumentedError(
  contract: Contract,
  response: DocumentedResponse,
  replies: ReplySamples,
): ErrorPlan | undefined {
  const { status, value, pointer } = response;
  if (!/^([45]|default)/.test(status)) return undefined;
  const media = Object.entries(value.content ?? {});
  const [type, object] = media.find(([name]) => isJson(name)) ?? [];
  if (type === undefined || object === undefined) return planText(contract, response, replies);
  if (object.schema === undefined) return undefined;
  const here = pointerTo(pointer, 'content', type);
  const body = makeBody(contract, replies, here, object, Number(status));
  if (body === undefined) return undefined;
  return { type: stripParameters(type), ...planHeaders(contract, response, replies), ...body };
}

/** A text is the sentence itself, and XML an element that holds it. */
function planText(contract: Contract, response: DocumentedResponse, replies: ReplySamples): ErrorPlan | undefined {
  const type = Object.keys(response.value.content ?? {}).find((name) => /^text\/[a-z]+|[/+]xml\b/.test(name));
  if (type === undefined) return undefined;
  return {
    type: stripParameters(type),
    ...planHeaders(contract, response, replies),
    body: '',
    sentence: [[]],
    status: [],
    title: [],
  };
}

function planHeaders(
  contract: Contract,
  response: DocumentedResponse,
  replies: ReplySamples,
): Pick<ErrorPlan, 'headers'> {
  const required = Object.entries(makeRequiredHeaders(contract, replies, response));
  const headers = required.filter(([, value]) => value !== undefined);
  if (headers.length === 0) return {};
  const documented = response.value.headers ?? {};
  const texts = headers.map(([name, value]): [string, string] => [
    name,
    String(writeHeader(value, isExploded(contract, documented[name] ?? {}))),
  ]);
  return { headers: Object.fromEntries(texts) };
}

type Told = Pick<ErrorPlan, 'sentence' | 'status' | 'title'> & { body: Json };

function makeBody(
  contract: Contract,
  replies: ReplySamples,
  pointer: string,
  media: Parameters<typeof readFittingExample>[2],
  status: number,
): Told | undefined {
  const schema = pointerTo(pointer, 'schema');
  try {
    const example = readFittingExample(contract, replies, media, pointer);
    const full = replies.samples.of(schema, 'full');
    const base = example ?? chooseFields(replies, schema, full);
    if (base === undefined) return undefined;
    const accepts = (body: Json | undefined): boolean => body !== undefined && replies.validator.accepts(schema, body);
    return fillIn(base, accepts, Number.isNaN(status) ? 400 : status);
  } catch {
    // A schema that can't be compiled.
    return undefined;
  }
}

/** What the schema demands, and what says something of an error. */
function chooseFields({ samples, validator }: ReplySamples, schema: string, full: Json | undefined): Json | undefined {
  const minimal = samples.of(schema, 'minimal');
  if (!isJsonObject(full) || !isJsonObject(minimal)) return minimal ?? full;
  const told = Object.entries(full).filter(([name]) => TOLD.has(name));
  const chosen: JsonObject = { ...minimal, ...Object.fromEntries(told) };
  return validator.accepts(schema, chosen) ? chosen : minimal;
}

/** Finds where the sentence fits; the first that does takes it. */
function fillIn(base: Json, accepts: (body: Json | undefined) => boolean, status: number): Told | undefined {
  if (typeof base === 'string')
    return accepts(SENTENCE) ? { body: '', sentence: [[]], status: [], title: [] } : undefined;
  const places = listPlaces(base);
  const fits = (path: readonly string[], value: Json): boolean => accepts(withValueAt(base, path, value));
  const named = (names: readonly string[]): string[][] =>
    names.flatMap((name) => places.filter((path) => path.at(-1) === name));
  const sentence = named(SENTENCES).find((path) => isText(base, path) && fits(path, SENTENCE));
  // What says nothing of the request is worse than what may be said.
  if (sentence === undefined && accepts({ error: SENTENCE }))
    return { body: { error: '' }, sentence: [['error']], status: [], title: [] };
  const statuses = named(STATUSES).filter((path) => !isText(base, path) && fits(path, status) && fits(path, 499));
  const titles = named(['title']).filter((path) => path !== sentence && isText(base, path) && fits(path, SENTENCE));
  const types = named(['type']).filter(
    (path) => path.length === 1 && isMadeUp(base, path) && fits(path, 'about:blank'),
  );
  const body = types.reduce<Json>((changed, path) => withValueAt(changed, path, 'about:blank') ?? changed, base);
  return { body, sentence: sentence === undefined ? [] : [sentence], status: statuses, title: titles };
}

/** The sampler's, and no one's own. */
function isMadeUp(base: Json, path: readonly string[]): boolean {
  return /^(?:https?:\/\/example\.com\/?|http:\/\/example\.com\/entity\/1|\.\.\/dictionary|\/entity\/1|string)$/.test(
    String(Object(base)[path[0] ?? '']),
  );
}

function isText(base: Json, path: readonly string[]): boolean {
  return typeof path.reduce<unknown>((value, name) => Object(value)[name], base) === 'string';
}

/** The nearest first. */
function listPlaces(value: Json, at: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  const here = Object.keys(value).map((name) => [...at, name]);
  return [...here, ...Object.entries(value).flatMap(([name, child]) => listPlaces(child, [...at, name]))];
}

/** What is answered anyway. */
function isPlain({ type, body }: ErrorPlan): boolean {
  const said: unknown = Object(body).error;
  return type === 'application/json' && typeof said === 'string' && Object.keys(Object(body)).length === 1;
}

/** The plan of an operation, with the shapes of its errors. */
export function planWithErrors(contract: Contract, operation: Operation, replies: ReplySamples): OperationPlan {
  const plan = planOperation(contract, operation);
  const responses = plan.responses.map((response, index) => {
    const documented = operation.responses[index];
    const error = documented === undefined ? undefined : planError(contract, documented, replies);
    return error === undefined ? response : { ...response, error };
  });
  return { ...plan, responses };
}
