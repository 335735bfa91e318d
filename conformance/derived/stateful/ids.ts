import { isJsonObject, type Json, valueAtPath, fromPointer } from '@branchline/contract';
import { type Answer, findHeader } from '../../engine/http/client.ts';
import { normalize, type ResourceParameter, type Source } from './sources.ts';

/** An exchange that may tell the value of a path parameter. */
export interface Told {
  readonly answer: Answer;
  /** What was sent, where that is JSON. */
  readonly sent: Json | undefined;
}

/** The values that the answer of a source tells for a parameter; none where it tells none. */
export function readIds(parameter: ResourceParameter, source: Source, told: Told): string[] {
  const body = parseJson(told.answer);
  if (source.expression !== undefined) {
    const value = evaluate(source.expression, told, body);
    if (value !== undefined) return [value];
  }
  if (source.kind === 'list') return findItems(body).flatMap((item) => readId(parameter, item) ?? []);
  const id =
    readId(parameter, body) ??
    readLocation(parameter, told.answer) ??
    readId(parameter, findWrapped(body)) ??
    readNamed(parameter, told.sent);
  return id === undefined ? [] : [id];
}

/** The body of an answer, where it is JSON. */
export function parseJson({ body }: Pick<Answer, 'body'>): Json | undefined {
  try {
    const value: Json = JSON.parse(body.toString('utf8'));
    return value;
  } catch {
    return undefined;
  }
}

/** The field of a resource that identifies it: the parameter's own name, or what ids are called. */
export function findIdField(
  { name, prefix }: Pick<ResourceParameter, 'name' | 'prefix'>,
  value: Json | undefined,
): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const fields = Object.keys(value);
  const singular = normalize(prefix.split('/').at(-2) ?? '').replace(/s$/, '');
  const wanted = [normalize(name), 'id', `${singular}id`, 'uuid', 'key', 'slug'];
  return wanted
    .flatMap((one) => fields.filter((field) => normalize(field) === one))
    .find((field) => toText(value[field]) !== undefined);
}

function readId(parameter: ResourceParameter, value: Json | undefined): string | undefined {
  const field = findIdField(parameter, value);
  return field === undefined || !isJsonObject(value) ? undefined : toText(value[field]);
}

/** What was sent names the resource only where it has the parameter's own name: an `id` may be the server's to choose. */
function readNamed({ name }: ResourceParameter, sent: Json | undefined): string | undefined {
  if (!isJsonObject(sent)) return undefined;
  const field = Object.keys(sent).find((one) => normalize(one) === normalize(name));
  return field === undefined ? undefined : toText(sent[field]);
}

function readLocation({ prefix }: ResourceParameter, answer: Answer): string | undefined {
  const location = findHeader(answer, 'location');
  if (location === undefined || !URL.canParse(location, 'http://service')) return undefined;
  const segments = new URL(location, 'http://service').pathname.split('/').filter(Boolean);
  const template = prefix.split('/').filter(Boolean);
  const outer = template.at(-2);
  const last = segments.at(-1);
  if (last === undefined) return undefined;
  const isFitting = outer === undefined || outer.startsWith('{') || segments.at(-2) === outer;
  return isFitting ? decodeURIComponent(last) : undefined;
}

/** `{ data: { id } }` or `{ pet: { id } }` */
function findWrapped(body: Json | undefined): Json | undefined {
  if (!isJsonObject(body)) return undefined;
  return Object.values(body).find(isJsonObject);
}

function findItems(body: Json | undefined): Json[] {
  if (Array.isArray(body)) return body;
  if (!isJsonObject(body)) return [];
  return Object.values(body).find((value) => Array.isArray(value)) ?? [];
}

/** Runtime expressions of OpenAPI, as far as they can name an id. */
function evaluate(expression: string, { answer, sent }: Told, body: Json | undefined): string | undefined {
  const inner = expression.replace(/^\{(.*)\}$/, '$1');
  const header = /^\$response\.header\.(.+)$/.exec(inner)?.[1];
  if (header !== undefined) return findHeader(answer, header.toLowerCase());
  const [, from, pointer] = /^\$(response|request)\.body#(.*)$/.exec(inner) ?? [];
  if (pointer === undefined) return undefined;
  return toText(valueAtPath(from === 'response' ? body : sent, fromPointer(pointer)));
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' ? String(value) : undefined;
}
