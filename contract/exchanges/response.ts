import type { ErrorObject } from 'ajv/dist/2020.js';
import { type ContractDocument, type HeaderObject, type ResponseObject, follow, operationAt } from './document.ts';
import { eventData, isEventStream } from './event-stream.ts';
import { headerSchema, readHeader } from './header-value.ts';
import type { OpenApiDocument } from '../openapi.ts';
import { toPointer } from '../pointers.ts';
import { type SchemaValidators, schemaValidators } from '../schemas.ts';
import { describeError } from '../validation-errors.ts';
import { toReplySchemas } from '../validation-schemas.ts';

/** A response as it came over HTTP. */
export interface HttpResponse {
  status: number;
  /** Names in lower case, as Node's `IncomingMessage` and Fastify's `inject` give them. */
  headers: Record<string, string | string[] | number | undefined>;
  body: string | Uint8Array;
}

/** A request's method and path (no query) with the response it got. */
export interface Exchange {
  method: string;
  path: string;
  response: HttpResponse;
}

/**
 * Says, in plain sentences, everything in which an exchange breaks the contract; an empty list means it keeps it.
 *
 * Judged are: a documented operation, status and media type, the body against its schema, required headers and their
 * schemas, and that no body comes where none is documented. Sentences never contain more of the body than its paths.
 */
export type ResponseCheck = (exchange: Exchange) => string[];

/** One thing in which an exchange breaks the contract. */
export interface ResponseFinding {
  about: 'operation' | 'status' | 'headers' | 'superfluous body' | 'media type' | 'body' | 'ambiguous body';
  sentence: string;
}

/** The same as {@link ResponseCheck}, telling what each sentence is about. */
export type ResponseExamination = (exchange: Exchange) => ResponseFinding[];

/** Prepares the check for one contract; schemas are compiled once. */
export function responseCheck(document: ContractDocument): ResponseCheck {
  const examine = examineResponses(document);
  return (exchange) => examine(exchange).map(({ sentence }) => sentence);
}

/** Prepares the examination for one contract; schemas are compiled once. */
export function examineResponses(document: ContractDocument): ResponseExamination {
  const bodySchemas = schemaValidators(toReplySchemas(document as OpenApiDocument));
  const headerSchemas = schemaValidators(document, { fromText: true });

  return ({ method, path, response }) => {
    const operation = operationAt(document, method, path);
    if (operation === undefined)
      return report('operation', [`The contract has no operation ${method.toUpperCase()} ${path}.`]);
    const status = documentedStatus(operation.responses, response.status);
    const name = `${operation.method.toUpperCase()} ${operation.path}`;
    if (status === undefined) {
      const known = Object.keys(operation.responses).join(', ') || 'none';
      return report('status', [`Status ${response.status} is not documented for ${name}; documented: ${known}.`]);
    }
    const documented = follow<ResponseObject>(document, operation.pointer + toPointer(['responses', status]));
    const problems = report('headers', checkHeaders(document, headerSchemas, documented.pointer, response));
    if (method.toUpperCase() === 'HEAD') return problems;
    return [...problems, ...checkBody(bodySchemas, documented, response)];
  };
}

/** The key under which a status is documented: exactly, by its class (`4XX`), or as `default`. */
export function documentedStatus(responses: Record<string, unknown>, status: number): string | undefined {
  const digit = String(status).charAt(0);
  return [String(status), `${digit}XX`, `${digit}xx`, 'default'].find((key) => Object.hasOwn(responses, key));
}

function checkHeaders(
  document: ContractDocument,
  schemas: SchemaValidators,
  pointer: string,
  response: HttpResponse,
): string[] {
  const headers = follow<ResponseObject>(document, pointer).value.headers ?? {};
  return Object.keys(headers).flatMap((name) => {
    if (name.toLowerCase() === 'content-type') return [];
    const header = follow<HeaderObject>(document, `${pointer}${toPointer(['headers', name])}`);
    const value = response.headers[name.toLowerCase()];
    if (value === undefined) {
      return header.value.required === true ? [`The required response header "${name}" is missing.`] : [];
    }
    const schema = headerSchema(header);
    if (schema === undefined) return [];
    const validate = schemas(schema);
    const text = Array.isArray(value) ? value.join(', ') : String(value);
    return validate(readHeader(document, header, text))
      ? []
      : [`Response header "${name}" ${describeError(validate.errors?.at(-1))}.`];
  });
}

function checkBody(
  schemas: SchemaValidators,
  documented: { pointer: string; value: ResponseObject },
  response: HttpResponse,
): ResponseFinding[] {
  const content = documented.value.content ?? {};
  const known = Object.keys(content);
  if (known.length === 0) {
    if (response.body.length === 0) return [];
    return report('superfluous body', [`Status ${response.status} is documented without a body, but has one.`]);
  }
  const type = response.headers['content-type'];
  if (typeof type !== 'string') {
    return report('media type', [
      `Status ${response.status} needs a body as ${known.join(' or ')}, but names no Content-Type.`,
    ]);
  }
  const media = documentedMediaType(known, type);
  if (media === undefined) {
    return report('media type', [
      `Media type "${type}" is not documented for status ${response.status}; documented: ${known.join(', ')}.`,
    ]);
  }
  if (content[media]?.schema === undefined) return report('body', checkJson(type, response));
  const pointer = `${documented.pointer}${toPointer(['content', media, 'schema'])}`;
  const problems = checkSchema(schemas, pointer, type, response);
  if (problems.length === 0) return [];
  return report(isAmbiguous(schemas(pointer).errors) ? 'ambiguous body' : 'body', problems);
}

/** Several alternatives of a `oneOf` fit, which many write where they mean `anyOf`. */
function isAmbiguous(errors: ErrorObject[] | null | undefined): boolean {
  const last = errors?.at(-1);
  return last?.keyword === 'oneOf' && Array.isArray(last.params['passingSchemas']);
}

function report(about: ResponseFinding['about'], sentences: readonly string[]): ResponseFinding[] {
  return sentences.map((sentence) => ({ about, sentence }));
}

/** Whatever it holds: it says that it is JSON. */
function checkJson(type: string, response: HttpResponse): string[] {
  return isJson(type) && readBody(type, response) === undefined ? [describeUnreadable(type)] : [];
}

/** JSON, or a text; `undefined` where it can't be read. */
function readBody(type: string, { body }: HttpResponse): unknown {
  try {
    const text = decodeText(body);
    return isJson(type) ? JSON.parse(text) : text;
  } catch {
    return undefined;
  }
}

function describeUnreadable(type: string): string {
  return `The response body is not valid ${isJson(type) ? 'JSON in UTF-8' : 'UTF-8'}.`;
}

function checkSchema(schemas: SchemaValidators, pointer: string, type: string, response: HttpResponse): string[] {
  if (!isJson(type) && !type.toLowerCase().startsWith('text/')) return [];
  const body = readBody(type, response);
  if (body === undefined) return [describeUnreadable(type)];
  const validate = schemas(pointer);
  if (isEventStream(type)) return checkEvents(validate, String(body));
  return validate(body)
    ? []
    : [`The response body${describePlace(validate.errors)} ${describeError(validate.errors?.at(-1))}.`];
}

/** The schema of a stream of events is that of each event's data: a text, or JSON. */
function checkEvents(validate: ReturnType<SchemaValidators>, text: string): string[] {
  return eventData(text).flatMap((data, index) => {
    if (validate(data) || validate(parseData(data))) return [];
    return [
      `The data of event ${index + 1}${describePlace(validate.errors)} ${describeError(validate.errors?.at(-1))}.`,
    ];
  });
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The documented media type that fits a `Content-Type`: exactly, else by range (`text/*`, `*\/*`). */
export function documentedMediaType(known: readonly string[], contentType: string): string | undefined {
  const bare = stripParameters(contentType);
  const [family = ''] = bare.split('/');
  return [bare, `${family}/*`, '*/*']
    .map((wanted) => known.find((name) => stripParameters(name) === wanted))
    .find(Boolean);
}

function stripParameters(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

/** Whether a media type is JSON: `application/json`, or any with the suffix `+json` (RFC 6839). */
export function isJson(contentType: string): boolean {
  const bare = stripParameters(contentType);
  return bare === 'application/json' || bare.endsWith('+json');
}

function decodeText(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
}

function describePlace(errors: ErrorObject[] | null | undefined): string {
  const path = errors?.at(-1)?.instancePath ?? '';
  return path === '' ? '' : ` at ${path}`;
}
