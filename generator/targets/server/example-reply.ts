import { sample } from 'openapi-sampler';
import { UserError } from '@branchline/command-line';
import {
  type Contract,
  type DocumentedResponse,
  follow,
  isObject,
  type Json,
  type MediaTypeObject,
  type Operation,
  pointerTo,
  relaxRequired,
} from '@branchline/contract';
import { writeHeader } from '@branchline/runtime';
import { stripParameters, isEventStream, classifyMediaType } from '../../typescript/media-types.ts';
import { findTypes } from '../../typescript/schema-types.ts';
import { createSamples, type Samples } from '../cases/samples.ts';
import { shortenLists } from '../cases/short-lists.ts';
import { createValidator, type Validator } from '../cases/validator.ts';
import { listHeaderValues } from './header-values.ts';

/** A reply that the contract itself gives as an example; the members are those of a reply in `handlers.ts`. */
export interface ExampleReply {
  status: number;
  type?: string;
  headers: Record<string, unknown>;
  body?: unknown;
}

/** What replies are made and judged with. */
export interface ReplySamples {
  validator: Validator;
  samples: Samples;
}

export function createReplySamples(contract: Contract): ReplySamples {
  const document = relaxRequired(contract.document, 'writeOnly');
  const validator = createValidator(document);
  return { validator, samples: createSamples(document, validator, 'writeOnly') };
}

/** Which of the replies that a contract documents is wanted. */
export interface WantedReply {
  /** Left out: that of the first success. */
  status?: number | undefined;
  /** The name of one of its examples. Left out: the first. */
  example?: string | undefined;
}

/**
 * An example of an operation's reply; `undefined` where the contract has none that fits its own schema, none can be made, or
 * it would be bytes, or needs a header that can't be sent. An example that does not fit is warned of.
 */
export function makeExampleReply(
  contract: Contract,
  operation: Operation,
  replies: ReplySamples = createReplySamples(contract),
  { status: wanted, example }: WantedReply = {},
): ExampleReply | undefined {
  const response = wanted === undefined ? findFirstSuccess(operation) : findResponse(operation, wanted);
  if (response === undefined) return undefined;
  const status = wanted ?? Number(response.status.replace('default', '200').replace(/XX$/i, '00'));
  const required = makeRequiredHeaders(contract, replies, response);
  if (Object.values(required).includes(undefined)) return undefined;
  const headers = { ...required, 'branchline-stub': operation.id };
  const media = Object.entries(response.value.content ?? {});
  if (media.length === 0) return example === undefined ? { status, headers } : undefined;
  for (const [type, object] of media.toSorted(([a], [b]) => rank(a) - rank(b))) {
    const chosen = example === undefined ? object : selectExample(object, example);
    if (chosen === undefined) continue;
    const pointer = pointerTo(response.pointer, 'content', type);
    const body = makeExampleBody(contract, replies, { type, media: chosen, pointer });
    if (body === undefined) continue;
    return media.length > 1 ? { status, type: stripParameters(type), headers, body } : { status, headers, body };
  }
  return undefined;
}

/** The lowest documented 2xx, else 3xx, else `default`. */
function findFirstSuccess({ responses }: Operation): DocumentedResponse | undefined {
  const byStatus = responses.toSorted((a, b) => (a.status < b.status ? -1 : 1));
  return ['2', '3', 'd'].flatMap((first) => byStatus.filter(({ status }) => status.startsWith(first)))[0];
}

/** By the status itself, its class, or `default`. */
export function findResponse({ responses }: Operation, status: number): DocumentedResponse | undefined {
  const keys = [`${status}`, `${Math.floor(status / 100)}XX`, 'DEFAULT'];
  return keys.flatMap((key) => responses.find((response) => response.status.toUpperCase() === key) ?? [])[0];
}

/** A media type with one of its examples alone; `undefined` where it has none of this name. */
function selectExample({ schema, examples }: MediaTypeObject, name: string): MediaTypeObject | undefined {
  const found = examples?.[name];
  if (found === undefined) return undefined;
  return { ...(schema !== undefined && { schema }), examples: { [name]: found } };
}

/** JSON says most. */
function rank(mediaType: string): number {
  return ['json', 'text', 'items', 'form', 'multipart', 'binary'].indexOf(classifyMediaType(mediaType));
}

interface ReplyMedia {
  type: string;
  media: MediaTypeObject;
  pointer: string;
}

function makeExampleBody(contract: Contract, replies: ReplySamples, { type, media, pointer }: ReplyMedia): unknown {
  const kind = classifyMediaType(type);
  if (kind === 'binary' || kind === 'multipart' || (type.includes('*') && type !== '*/*')) return undefined;
  const example =
    kind === 'json' || kind === 'items' || isEventStream(type)
      ? makeFittingExample(contract, replies, media, pointer)
      : (readExample(contract, media)?.value ?? sampleSchema(contract, media.schema));
  if (isEventStream(type)) return example === undefined ? undefined : [{ data: example }];
  if (kind === 'items') return Array.isArray(example) || example === undefined ? example : [example];
  return kind === 'json' || typeof example === 'string' ? example : undefined;
}

/** The author's example where it fits the schema, else one that is made of the schema. */
function makeFittingExample(
  contract: Contract,
  { validator, samples }: ReplySamples,
  media: MediaTypeObject,
  pointer: string,
): unknown {
  const written = readExample(contract, media);
  const example = parseExample(contract, media, written?.value);
  if (media.schema === undefined) return example;
  const schema = pointerTo(pointer, 'schema');
  try {
    if (example !== undefined && validator.accepts(schema, example as Json)) return example;
    if (written !== undefined)
      contract.warn(
        pointerTo(pointer, ...written.at),
        'This example does not fit its own schema; the stub answers with one that is made of the schema.',
      );
    return samples.of(schema, 'full');
  } catch (error) {
    if (error instanceof UserError) throw error;
    // A schema that can't be compiled is no reason not to generate the rest: the stub says so by a 501.
    return undefined;
  }
}

/** The author's example, where there is one and it fits the schema. */
export function readFittingExample(
  contract: Contract,
  { validator }: ReplySamples,
  media: MediaTypeObject,
  pointer: string,
): Json | undefined {
  const example = parseExample(contract, media, readExample(contract, media)?.value);
  const isFitting = example !== undefined && validator.accepts(pointerTo(pointer, 'schema'), example as Json);
  return isFitting ? (example as Json) : undefined;
}

/** The author's example, and where it stands in its media type. */
function readExample(
  contract: Contract,
  { example, examples }: MediaTypeObject,
): { value: unknown; at: string[] } | undefined {
  if (example !== undefined) return { value: example, at: ['example'] };
  const [name, first] = Object.entries(examples ?? {})[0] ?? [];
  const resolved = contract.resolve(first);
  if (name === undefined || !isObject(resolved) || resolved['value'] === undefined) return undefined;
  return { value: resolved['value'], at: ['examples', name] };
}

/** Many write an example of JSON as a text that holds it. */
function parseExample(contract: Contract, { schema }: MediaTypeObject, example: unknown): unknown {
  const types = findTypes(contract, schema);
  if (typeof example !== 'string' || types.size === 0 || types.has('string')) return example;
  try {
    return JSON.parse(example);
  } catch {
    return undefined;
  }
}

function sampleSchema(contract: Contract, schema: unknown): unknown {
  if (!isObject(schema)) return undefined;
  try {
    const options = { quiet: true, skipWriteOnly: true, enablePatterns: true };
    return sample(shortenLists({ schema }).schema, options, shortenLists(contract.document));
  } catch {
    // A schema that nothing can be made of is no reason not to generate the rest: the stub says so by a 501.
    return undefined;
  }
}

/** Examples of the headers that a response has to have; `undefined` for one of which no value that is known can be sent. */
export function makeRequiredHeaders(
  contract: Contract,
  replies: ReplySamples,
  response: DocumentedResponse,
): Record<string, unknown> {
  const names = Object.keys(response.value.headers ?? {}).filter((name) => !SET_BY_NODE.has(name.toLowerCase()));
  return Object.fromEntries(
    names.flatMap((name): [string, unknown][] => {
      const header = follow<Header>(contract.document, pointerTo(response.pointer, 'headers', name));
      if (header.value.required !== true) return [];
      return [[name, makeHeader(contract, replies, { response, name, ...header })]];
    }),
  );
}

type Header = MediaTypeObject & { required?: boolean; content?: Record<string, MediaTypeObject> };

interface DocumentedHeader {
  response: DocumentedResponse;
  name: string;
  value: Header;
  pointer: string;
}

function makeHeader(
  contract: Contract,
  replies: ReplySamples,
  { response, name, value, pointer }: DocumentedHeader,
): unknown {
  const [type, media] = Object.entries(value.content ?? {})[0] ?? [];
  if (type !== undefined && media !== undefined) {
    const json = makeFittingExample(contract, replies, media, pointerTo(pointer, 'content', type));
    return json === undefined ? undefined : escapeToAscii(JSON.stringify(json));
  }
  const schema = pointerTo(pointer, 'schema');
  const accepts = (one: Json): boolean => value.schema === undefined || replies.validator.accepts(schema, one);
  const known = saysNothing(contract, value.schema) ? listHeaderValues(contract, response, name) : [];
  const written = readExample(contract, value);
  const made = written?.value ?? known.find(accepts) ?? sampleHeader(contract, replies, value, schema) ?? 'example';
  if (canBeSent(made)) return made;
  contract.warn(
    pointerTo(pointer, ...(written?.at ?? ['schema'])),
    'No header can hold this value: it has a line break, or a character beyond ISO 8859-1. The stub sends another one, where the schema allows any.',
  );
  return listOtherValues(contract, value.schema, made).find((one) => canBeSent(one) && accepts(one));
}

/** Of lists and objects, one that fits; the text of any other is nobody's but the author's. */
function sampleHeader(contract: Contract, { samples }: ReplySamples, { schema }: Header, pointer: string): unknown {
  const types = findTypes(contract, schema);
  return types.has('array') || types.has('object') ? samples.of(pointer, 'full') : sampleSchema(contract, schema);
}

/** JSON says the same in ASCII alone. */
function escapeToAscii(json: string): string {
  return json.replaceAll(/[\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Whether Node sends it as the value of a header (RFC 9110, section 5.5). */
function canBeSent(value: unknown): boolean {
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(String(writeHeader(value, false)));
}

/** What may stand in place of a value that can't be sent, the likeliest first. */
function listOtherValues(contract: Contract, schema: unknown, value: unknown): readonly Json[] {
  const own: unknown = contract.resolve(schema);
  const { example: _, examples: __, default: ___, ...rest } = isObject(own) ? own : {};
  const allowed = Array.isArray(rest['enum']) ? rest['enum'] : [];
  return [...encodeAsUri(value), ...allowed, sampleSchema(contract, rest)].filter((one) => one !== undefined);
}

/** An address in ASCII alone (RFC 3987, section 3.1); nothing for what is none. */
function encodeAsUri(value: unknown): string[] {
  if (typeof value !== 'string' || !/^(?:[a-z][a-z\d+.-]*:\/)?\/\S*$/i.test(value) || !value.isWellFormed()) return [];
  return [encodeURI(value).replaceAll('%25', '%')];
}

/** What goes over the wire in another way than is documented. */
const SET_BY_NODE = new Set(['connection', 'content-length', 'content-type', 'transfer-encoding']);

/** Whether a value of the schema would be made up. */
function saysNothing(contract: Contract, schema: unknown): boolean {
  const own: unknown = contract.resolve(schema);
  return !isObject(own) || !['const', 'default', 'enum', 'example', 'examples'].some((keyword) => keyword in own);
}
