import { isObject, pointerTo, referencePointer, valueAt } from '../pointers.ts';
import type { Fields, Warn } from './fault.ts';
import { makeSchema } from './plain-types.ts';

/** An operation, and where it stands. */
export interface Place {
  path: string;
  item: Fields;
  operation: Fields;
  /** The pointer of the operation. */
  place: string;
}

/** How the values of a parameter can be written, by where it is sent. */
const STYLES: Readonly<Record<string, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** The parameters of all operations of a path. */
export function mendShared(document: Fields, path: string, item: Fields, warn: Warn): void {
  if (!Array.isArray(item['parameters'])) return;
  item['parameters'] = item['parameters'].filter((written: unknown, index) => {
    const parameter = resolve(document, written);
    const at = pointerTo('/paths', path, 'parameters', index);
    if (!isReadable(parameter, at, warn)) return false;
    mendParameter(parameter, at, warn);
    if (parameter['in'] !== 'path' || path.includes(`{${String(parameter['name'])}}`)) return true;
    warn(at, `The path parameter "${String(parameter['name'])}" does not stand in the path "${path}"; it is ignored.`);
    return false;
  });
}

/** Those of the components, which may be referred to from anywhere. */
export function mendNamedParameters(document: Fields, warn: Warn): void {
  const section = valueAt(document, '/components/parameters');
  for (const [name, parameter] of Object.entries(isObject(section) ? section : {}))
    if (isObject(parameter) && isKnownPlace(parameter))
      mendParameter(parameter, pointerTo('/components/parameters', name), warn);
}

/** The parameters of an operation; what can't be read of them is left out, and a body that stands among them is put in its place. */
export function mendParameters(document: Fields, { path, item, operation, place }: Place, warn: Warn): void {
  const own = Array.isArray(operation['parameters']) ? operation['parameters'] : [];
  const shared = Array.isArray(item['parameters']) ? item['parameters'] : [];
  const names = [...path.matchAll(/\{([^{}/]+)\}/g)].map(([, name]) => name ?? '');
  const kept: unknown[] = [];
  const seen = new Set<string>();
  for (const [index, written] of own.entries()) {
    const at = pointerTo(place, 'parameters', index);
    const parameter = resolve(document, written);
    if (isObject(parameter) && movesToBody(operation, parameter, at, warn)) continue;
    if (!isReadable(parameter, at, warn)) continue;
    const key = `${String(parameter['in'])} ${String(parameter['name'])}`;
    if (seen.has(key))
      warn(at, `The ${String(parameter['in'])} parameter "${String(parameter['name'])}" is declared twice.`);
    else if (parameter['in'] === 'path' && !names.includes(String(parameter['name'])))
      warn(
        at,
        `The path parameter "${String(parameter['name'])}" does not stand in the path "${path}"; it is ignored.`,
      );
    else kept.push(written);
    seen.add(key);
    mendParameter(parameter, at, warn);
  }
  const declared = [...kept, ...shared].map((one) => resolve(document, one)).filter(isObject);
  for (const name of names) {
    if (declared.some((one) => one['in'] === 'path' && one['name'] === name)) continue;
    kept.push({ name, in: 'path', required: true, schema: { type: 'string' } });
    warn(place, `The path parameter "${name}" is not declared; it is taken for a string.`);
  }
  if (kept.length > 0 || own.length > 0) operation['parameters'] = kept;
}

function isKnownPlace(parameter: Fields): boolean {
  return typeof parameter['in'] === 'string' && Object.hasOwn(STYLES, parameter['in']);
}

function isReadable(parameter: unknown, at: string, warn: Warn): parameter is Fields {
  if (isObject(parameter) && typeof parameter['name'] === 'string' && isKnownPlace(parameter)) return true;
  const places = Object.keys(STYLES).join(', ');
  warn(at, `A parameter needs a "name", and "in" must be one of: ${places}; it is ignored.`);
  return false;
}

/** The places of Swagger 2.0 in a later document. */
function movesToBody(operation: Fields, parameter: Fields, at: string, warn: Warn): boolean {
  const { name, in: place, required, schema } = parameter;
  if (place !== 'body' && place !== 'formData') return false;
  warn(pointerTo(at, 'in'), `"in: ${place}" is from Swagger 2.0; it is read as a part of "requestBody".`);
  const body = isObject(operation['requestBody']) ? operation['requestBody'] : { content: {} };
  const content = isObject(body['content']) ? body['content'] : {};
  operation['requestBody'] = body;
  if (place === 'body') {
    content['application/json'] ??= { schema: schema ?? {} };
    if (required === true) body['required'] = true;
    return true;
  }
  const media = content['multipart/form-data'];
  const form = isObject(media) && isObject(media['schema']) ? media['schema'] : { type: 'object', properties: {} };
  content['multipart/form-data'] = { schema: form };
  if (isObject(form['properties'])) form['properties'][String(name)] = schema ?? makeSchema(parameter) ?? {};
  return true;
}

function mendParameter(parameter: Fields, at: string, warn: Warn): void {
  const name = String(parameter['name']);
  const place = String(parameter['in']);
  if (place === 'path' && parameter['required'] !== true) {
    parameter['required'] = true;
    warn(at, `The path parameter "${name}" must have "required: true".`);
  }
  const styles = STYLES[place] ?? [];
  if (parameter['style'] !== undefined && !styles.includes(String(parameter['style']))) {
    delete parameter['style'];
    warn(pointerTo(at, 'style'), `"style" must be one of: ${styles.join(', ')}; it is ignored.`);
  }
  mendContent(parameter, `The parameter "${name}"`, at, warn);
}

/** What a parameter, or a header, says of its values: one schema, or one media type with its own. */
export function mendContent(owner: Fields, name: string, at: string, warn: Warn): void {
  const types = isObject(owner['content']) ? Object.keys(owner['content']) : [];
  if (owner['content'] !== undefined && (owner['schema'] !== undefined || types.length === 0)) {
    delete owner['content'];
    warn(pointerTo(at, 'content'), `${name} has "content" that is empty, or stands beside "schema"; it is ignored.`);
  } else if (types.length > 1 && isObject(owner['content'])) {
    for (const other of types.slice(1)) delete owner['content'][other];
    warn(pointerTo(at, 'content'), `${name} has several media types; all but "${types[0]}" are ignored.`);
  }
  if (owner['schema'] !== undefined || owner['content'] !== undefined) return;
  const schema = makeSchema(owner);
  owner['schema'] = schema ?? {};
  warn(at, `${name} lacks a "schema"; ${schema === undefined ? 'any text is taken' : 'it is made of its "type"'}.`);
}

/** Follows references, as far as they lead anywhere. */
export function resolve(document: Fields, value: unknown): unknown {
  const seen = new Set<unknown>();
  let here = value;
  while (isObject(here) && typeof here['$ref'] === 'string' && !seen.has(here)) {
    seen.add(here);
    here = valueAt(document, referencePointer(here['$ref']) ?? '');
  }
  return here;
}
