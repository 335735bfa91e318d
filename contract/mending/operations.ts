import { methods } from '../openapi.ts';
import { isObject, pointerTo, valueAt } from '../pointers.ts';
import type { Fields, Warn } from './fault.ts';
import { mendContent, mendNamedParameters, mendParameters, mendShared, resolve } from './parameters.ts';

/** Mends the paths of a document and what stands in them; what can't be served is left out. */
export function mendOperations(document: Fields, warn: Warn): void {
  if (!isObject(document['paths']) && document['paths'] !== undefined) return;
  document['paths'] ??= {};
  mendPaths(document, warn);
  mendNamedParameters(document, warn);
  const served = new Map<string, string>();
  const ids = new Map<string, number>();
  mendSharedPaths(document, warn);
  for (const [path, item] of listEntries(document['paths'])) {
    const at = pointerTo('/paths', path);
    if (!isObject(item) || path.startsWith('x-')) continue;
    mendMethods(item, at, warn);
    mendShared(document, path, item, warn);
    if ('trace' in item) {
      delete item['trace'];
      warn(pointerTo(at, 'trace'), 'The method TRACE can not be served; the operation is left out.');
    }
    for (const method of methods) {
      const operation = item[method];
      if (!isObject(operation)) continue;
      const place = pointerTo(at, method);
      const key = `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
      const first = served.get(key);
      if (first !== undefined) {
        delete item[method];
        warn(place, `${method.toUpperCase()} ${path} is the same as ${first} to a router; the operation is left out.`);
        continue;
      }
      served.set(key, path);
      mendId(operation, place, ids, warn);
      mendParameters(document, { path, item, operation, place }, warn);
      mendBody(document, operation, place, warn);
      mendResponses(document, operation, place, warn);
      mendSecurity(document, operation, place, warn);
    }
  }
  mendSecurity(document, document, '', warn);
  for (const [name, response] of listEntries(valueAt(document, '/components/responses')))
    mendResponse(response, pointerTo('/components/responses', name), warn);
  for (const [name, header] of listEntries(valueAt(document, '/components/headers')))
    mendHeader(name, header, pointerTo('/components/headers', name), warn);
}

/** A path that is described by a reference to what describes another has operations of its own. */
function mendSharedPaths(document: Fields, warn: Warn): void {
  const used = new Set<unknown>(Object.values(isObject(document['paths']) ? document['paths'] : {}));
  for (const [path, item] of listEntries(document['paths'])) {
    const target = resolve(document, item);
    if (!isObject(item) || target === item || !isObject(target)) continue;
    if (used.has(target)) {
      delete item['$ref'];
      Object.assign(item, structuredClone(target));
      warn(pointerTo('/paths', path), `What describes the path "${path}" describes another too.`);
    }
    used.add(target);
  }
}

/** A schema where a body or a response is due. */
function mendBody(document: Fields, operation: Fields, place: string, warn: Warn): void {
  const { requestBody } = operation;
  const target = resolve(document, requestBody);
  if (!isObject(requestBody) || (isObject(target) && isObject(target['content']))) return;
  const at = pointerTo(place, 'requestBody');
  if (isReferenceToSchema(requestBody)) {
    operation['requestBody'] = { content: { 'application/json': { schema: requestBody } } };
    warn(at, 'A schema stands where a request body is due; it is taken for that of JSON.');
  } else if (isObject(target)) {
    target['content'] = {};
    warn(at, 'The request body lacks the field "content".');
  }
}

function isReferenceToSchema({ $ref: reference }: Fields): boolean {
  return typeof reference === 'string' && reference.startsWith('#/components/schemas/');
}

/** Methods in capital letters. */
function mendMethods(item: Fields, at: string, warn: Warn): void {
  for (const field of Object.keys(item)) {
    const method = field.toLowerCase();
    if (method === field || !methods.some((known) => known === method) || method in item) continue;
    item[method] = item[field];
    delete item[field];
    warn(pointerTo(at, field), `The method "${field}" must be in small letters.`);
  }
}

function listEntries(value: unknown): [name: string, value: unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** A query in a path is left away; a path that a server can't route is left out. The order stays. */
function mendPaths(document: Fields, warn: Warn): void {
  const paths = listEntries(document['paths']);
  const names = new Set(paths.map(([path]) => path));
  document['paths'] = Object.fromEntries(
    paths.flatMap(([path, item]): [string, unknown][] => {
      if (path.startsWith('x-')) return [[path, item]];
      const at = pointerTo('/paths', path);
      const [bare = ''] = path.split(/[?#]/, 1);
      const mended = bare.startsWith('/') ? bare : `/${bare}`;
      if (hasUnservableName(mended) || (mended !== path && names.has(mended))) {
        warn(at, `The path "${path}" can not be served; its operations are left out.`);
        return [];
      }
      if (mended !== path) warn(at, `The path "${path}" is served as "${mended}".`);
      names.add(mended);
      return [[mended, item]];
    }),
  );
}

/** A wildcard, a brace too few, or a parameter that is named twice. */
function hasUnservableName(path: string): boolean {
  const names = [...path.matchAll(/\{([^{}/]+)\}/g)].map(([, name]) => name);
  return /\*|%2a/i.test(path) || new Set(names).size < names.length || /[{}]/.test(path.replaceAll(/\{[^{}/]+\}/g, ''));
}

/** @param ids those that are used, and the number that one of them is to have which is used again */
function mendId(operation: Fields, place: string, ids: Map<string, number>, warn: Warn): void {
  const { operationId } = operation;
  if (typeof operationId !== 'string') return;
  let number = ids.get(operationId);
  if (number === undefined) {
    ids.set(operationId, 2);
    return;
  }
  while (ids.has(`${operationId}${number}`)) number += 1;
  const id = `${operationId}${number}`;
  ids.set(operationId, number + 1).set(id, 2);
  operation['operationId'] = id;
  warn(
    pointerTo(place, 'operationId'),
    `The operationId "${operationId}" is already used; this operation is called "${id}".`,
  );
}

function mendResponses(document: Fields, operation: Fields, place: string, warn: Warn): void {
  const { responses } = operation;
  if (responses === undefined && !String(document['openapi']).startsWith('3.0')) return;
  if (!isObject(responses) || Object.keys(responses).length === 0) {
    operation['responses'] = { default: { description: '' } };
    warn(pointerTo(place, 'responses'), 'The operation documents no response.');
    return;
  }
  mendStatuses(responses, pointerTo(place, 'responses'), warn);
  for (const [status, written] of Object.entries(responses)) {
    if (isObject(written) && isReferenceToSchema(written)) {
      responses[status] = { description: '', content: { 'application/json': { schema: written } } };
      warn(
        pointerTo(place, 'responses', status),
        'A schema stands where a response is due; it is taken for that of JSON.',
      );
      continue;
    }
    const response = resolve(document, written);
    const at = pointerTo(place, 'responses', status);
    if (response === written) mendResponse(response, at, warn);
  }
}

/** A class in small letters is one; what is no status is left out. */
function mendStatuses(responses: Fields, at: string, warn: Warn): void {
  for (const status of Object.keys(responses)) {
    if (/^(?:[1-5](?:\d\d|XX)|default|x-.*)$/.test(status)) continue;
    const [meant] = /^[1-5](?:\d\d|XX)$/.exec(status.trim().toUpperCase()) ?? [];
    if (meant !== undefined && !(meant in responses)) responses[meant] = responses[status];
    delete responses[status];
    const what = meant === undefined ? 'it is ignored' : `it is read as "${meant}"`;
    warn(pointerTo(at, status), `"${status}" is no status; ${what}.`);
  }
  if (Object.keys(responses).length === 0) responses['default'] = { description: '' };
}

function mendResponse(response: unknown, at: string, warn: Warn): void {
  if (!isObject(response) || typeof response['$ref'] === 'string') return;
  for (const [name, header] of listEntries(response['headers']))
    mendHeader(name, header, pointerTo(at, 'headers', name), warn);
  if (typeof response['description'] === 'string') return;
  response['description'] = '';
  warn(at, 'A response should have a "description".');
}

function mendHeader(name: string, header: unknown, at: string, warn: Warn): void {
  if (isObject(header) && typeof header['$ref'] !== 'string') mendContent(header, `The header "${name}"`, at, warn);
}

/** An unknown scheme is taken for one that asks for a credential, so that nobody comes in without. */
function mendSecurity(document: Fields, owner: Fields, place: string, warn: Warn): void {
  const { security } = owner;
  if (!Array.isArray(security)) return;
  for (const [index, requirement] of security.entries()) {
    for (const name of Object.keys(isObject(requirement) ? requirement : {})) {
      if (isObject(valueAt(document, pointerTo('/components/securitySchemes', name)))) continue;
      const components = isObject(document['components']) ? document['components'] : {};
      const schemes = isObject(components['securitySchemes']) ? components['securitySchemes'] : {};
      schemes[name] = { type: 'http', scheme: 'bearer' };
      document['components'] = { ...components, securitySchemes: schemes };
      warn(
        pointerTo(place, 'security', index, name),
        `The security scheme "${name}" is not declared under components.securitySchemes; it is taken for a bearer token.`,
      );
    }
  }
}
