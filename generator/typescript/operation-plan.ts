import {
  type Contract,
  type DocumentedResponse,
  isObject,
  type Located,
  type MediaTypeObject,
  type Operation,
  type ParameterObject,
  pointerTo,
  type RequestBodyObject,
  type Schema,
} from '@branchline/contract';
import type { BodyPlan, MediaPlan, OperationPlan, ParameterPlan, ResponsePlan, StylePlan } from '@branchline/runtime';
import { stripParameters, classifyMediaType } from './media-types.ts';
import { findItemPointer } from './json-stream.ts';
import { planParts } from './multipart.ts';
import { findProperties, findPropertyNames, findTypes } from './schema-types.ts';

const DEFAULT_MAX_BYTES = 1024 * 1024;
const DEFAULT_STYLES = { path: 'simple', header: 'simple', query: 'form', cookie: 'form' };

/** Works out, once and for all, what the server must know of an operation. */
export function planOperation(contract: Contract, operation: Operation): OperationPlan {
  const { id, method, path, parameters, requestBody, responses, security } = operation;
  const route = planRoute(path);
  return {
    id,
    method: method.toUpperCase(),
    path,
    route: route.template,
    security,
    parameters: parameters.map((parameter) => planParameter(contract, parameter, route.names)),
    ...(requestBody && { body: planBody(contract, requestBody) }),
    responses: responses.map((response) => planResponse(contract, response)),
  };
}

function planResponse(contract: Contract, { status, value }: DocumentedResponse): ResponsePlan {
  const exploded = Object.entries(value.headers ?? {}).filter(([, header]) => isExploded(contract, header));
  return {
    status,
    media: Object.keys(value.content ?? {}),
    ...(exploded.length > 0 && { exploded: exploded.map(([name]) => name.toLowerCase()) }),
  };
}

/** Whether an object in a header is written as `name=value`. */
export function isExploded(contract: Contract, header: object): boolean {
  const { explode, schema }: { explode?: unknown; schema?: Schema } = contract.resolve(header);
  return explode === true && findTypes(contract, schema).has('object');
}

/**
 * The path for the router. A parameter that shares its path segment with other text gets a pattern, as the router would
 * take the text for a part of the parameter's name.
 */
function planRoute(path: string): { template: string; names: string[] } {
  const names: string[] = [];
  const segments = path.split('/').map((segment) => {
    const alone = /^[^{}]*\{[^{}]+\}$/.test(segment);
    return segment
      .split(/(\{[^{}]+\})/)
      .map((part) => {
        if (!part.startsWith('{')) return escapeForRouter(part);
        names.push(part.slice(1, -1));
        return `{${nameForRouter(names, names.length - 1)}}${alone ? '' : '([^/]+?)'}`;
      })
      .join('');
  });
  return { template: segments.join('/'), names };
}

/** Its own name, where the router can take it: what runs before the parameters are read then finds it in `request.params`. */
function nameForRouter(names: readonly string[], index: number): string {
  const name = names[index] ?? '';
  return /^[a-z_]\w*$/i.test(name) && !/^p\d+$/.test(name) ? name : `p${index}`;
}

/** The router compares decoded text, and takes a single colon for a parameter. */
function escapeForRouter(text: string): string {
  return decodeText(text).replaceAll(':', '::');
}

function decodeText(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}

function planParameter(
  contract: Contract,
  { value, pointer }: Located<ParameterObject>,
  pathNames: readonly string[],
): ParameterPlan {
  const [json] = Object.entries(value.content ?? {});
  const written = json === undefined ? value : json[1];
  const schemaPointer = json === undefined ? pointer : pointerTo(pointer, 'content', json[0]);
  const types = findTypes(contract, written.schema);
  const style = value.style ?? DEFAULT_STYLES[value.in];
  const fallback = findDefault(contract, written.schema);
  return {
    in: value.in,
    name: value.name,
    key: findKey(value, pathNames),
    required: value.required ?? false,
    style,
    explode: value.explode ?? style === 'form',
    shape: json === undefined ? classifyShape(types) : 'json',
    numeric: isNumeric(contract, written.schema),
    properties: findPropertyNames(contract, written.schema),
    ...(written.schema !== undefined && { schema: pointerTo(schemaPointer, 'schema') }),
    ...(fallback !== undefined && { default: fallback }),
  };
}

function findKey(parameter: ParameterObject, pathNames: readonly string[]): string {
  if (parameter.in === 'path') return nameForRouter(pathNames, pathNames.indexOf(parameter.name));
  return parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
}

/** A schema that also allows plain values is read as one. */
function classifyShape(types: ReadonlySet<string>): ParameterPlan['shape'] {
  const structured = [...types].filter((type) => type !== 'null');
  if (structured.length === 1 && types.has('array')) return 'array';
  return structured.length === 1 && types.has('object') ? 'object' : 'value';
}

function isNumeric(contract: Contract, schema: Schema | undefined): boolean {
  const types = [...findTypes(contract, schema)];
  if (types.length === 1 && types[0] === 'array') return isNumeric(contract, findItems(contract, schema));
  return types.length > 0 && types.every((type) => type === 'integer' || type === 'number');
}

function findItems(contract: Contract, schema: Schema | undefined): Schema | undefined {
  const target = contract.resolve(schema);
  if (!isObject(target) || !isObject(target['items'])) return undefined;
  return target['items'];
}

function findDefault(contract: Contract, schema: Schema | undefined): unknown {
  const target = contract.resolve(schema);
  return isObject(target) ? target['default'] : undefined;
}

function planBody(contract: Contract, { value, pointer }: Located<RequestBodyObject>): BodyPlan {
  const limit = value['x-branchline-max-body-bytes'];
  return {
    required: value.required ?? false,
    maxBytes: typeof limit === 'number' ? limit : DEFAULT_MAX_BYTES,
    gzip: Array.isArray(value['x-branchline-encodings']) && value['x-branchline-encodings'].includes('gzip'),
    media: Object.entries(value.content).map(([type, media]) =>
      planMedia(contract, type, media, pointerTo(pointer, 'content', type)),
    ),
  };
}

function planMedia(contract: Contract, type: string, media: MediaTypeObject, pointer: string): MediaPlan {
  const { schema } = media;
  const kind = classifyMediaType(type);
  const types = findTypes(contract, schema);
  // The schema of an XML document describes its elements, not the text that the handler gets.
  const isForm = kind === 'form' || kind === 'multipart';
  const checkable = kind === 'json' || isForm || (kind === 'text' && types.size === 1 && types.has('string'));
  const whole = schema !== undefined && checkable ? pointerTo(pointer, 'schema') : undefined;
  const place = kind === 'items' ? findItemPointer(contract, media, pointer) : whole;
  return {
    type: stripParameters(type),
    kind,
    ...(place !== undefined && { schema: place }),
    ...(isForm && { fields: planFormFields(contract, media) }),
    ...(kind === 'multipart' && { parts: planParts(contract, media) }),
  };
}

/** The fields of a form that have an `encoding`; and objects, which without one travel as JSON. */
function planFormFields(contract: Contract, { schema, encoding }: MediaTypeObject): StylePlan[] {
  const properties = Object.entries(findProperties(contract, schema));
  return properties.flatMap(([key, property]) => {
    const { style, explode }: { style?: string; explode?: boolean } = encoding?.[key] ?? {};
    const shape = classifyShape(findTypes(contract, property));
    if (style === undefined && explode === undefined && shape !== 'object') return [];
    return {
      key,
      style: style ?? 'form',
      explode: explode ?? (style ?? 'form') === 'form',
      shape: style === undefined && explode === undefined ? 'json' : shape,
      properties: findPropertyNames(contract, property),
    };
  });
}
