import { methods } from '../openapi.ts';
import { isObject, pointerTo, referencePointer, valueAt } from '../pointers.ts';
import type { Fields, Warn } from './fault.ts';

/** Mends the paths of a document and what stands in them; what can't be served is left out. */
export function mendOperations(document: Fields, warn: Warn): void {
  if (!isObject(document['paths']) && document['paths'] !== undefined) return;
  document['paths'] ??= {};
  mendPaths(document, warn);
  const served = new Map<string, string>();
  const ids = new Set<string>();
  for (const [path, item] of listEntries(document['paths'])) {
    const at = pointerTo('/paths', path);
    if (!isObject(item) || path.startsWith('x-')) continue;
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
      mendResponses(document, operation, place, warn);
      mendSecurity(document, operation, place, warn);
    }
  }
  mendSecurity(document, document, '', warn);
  for (const [name, response] of listEntries(valueAt(document, '/components/responses')))
    mendDescription(response, pointerTo('/components/responses', name), warn);
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
  return path.includes('*') || new Set(names).size < names.length || /[{}]/.test(path.replaceAll(/\{[^{}/]+\}/g, ''));
}

function mendId(operation: Fields, place: string, ids: Set<string>, warn: Warn): void {
  const { operationId } = operation;
  if (typeof operationId !== 'string') return;
  let id = operationId;
  for (let n = 2; ids.has(id); n += 1) id = `${operationId}${n}`;
  ids.add(id);
  if (id === operationId) return;
  operation['operationId'] = id;
  warn(
    pointerTo(place, 'operationId'),
    `The operationId "${operationId}" is already used; this operation is called "${id}".`,
  );
}

/** The parameters of all operations of a path. */
function mendShared(document: Fields, path: string, item: Fields, warn: Warn): void {
  if (!Array.isArray(item['parameters'])) return;
  item['parameters'] = item['parameters'].filter((written: unknown, index) => {
    const parameter = resolve(document, written);
    const at = pointerTo('/paths', path, 'parameters', index);
    if (!isObject(parameter)) return true;
    mendParameter(parameter, at, warn);
    if (parameter['in'] !== 'path' || path.includes(`{${String(parameter['name'])}}`)) return true;
    warn(at, `The path parameter "${String(parameter['name'])}" does not stand in the path "${path}"; it is ignored.`);
    return false;
  });
}

interface Place {
  path: string;
  item: Fields;
  operation: Fields;
  /** The pointer of the operation. */
  place: string;
}

function mendParameters(document: Fields, { path, item, operation, place }: Place, warn: Warn): void {
  const own = Array.isArray(operation['parameters']) ? operation['parameters'] : [];
  const shared = Array.isArray(item['parameters']) ? item['parameters'] : [];
  const names = [...path.matchAll(/\{([^{}/]+)\}/g)].map(([, name]) => name ?? '');
  const kept: unknown[] = [];
  const seen = new Set<string>();
  for (const [index, written] of own.entries()) {
    const at = pointerTo(place, 'parameters', index);
    const parameter = resolve(document, written);
    if (!isObject(parameter)) continue;
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

function mendParameter(parameter: Fields, at: string, warn: Warn): void {
  const name = String(parameter['name']);
  if (parameter['in'] === 'path' && parameter['required'] !== true) {
    parameter['required'] = true;
    warn(at, `The path parameter "${name}" must have "required: true".`);
  }
  if (parameter['schema'] === undefined && parameter['content'] === undefined && parameter['in'] !== 'body') {
    parameter['schema'] = {};
    warn(at, `The parameter "${name}" lacks a "schema"; any text is taken.`);
  }
}

function mendResponses(document: Fields, operation: Fields, place: string, warn: Warn): void {
  const { responses } = operation;
  if (responses === undefined && !String(document['openapi']).startsWith('3.0')) return;
  if (!isObject(responses) || Object.keys(responses).length === 0) {
    operation['responses'] = { default: { description: '' } };
    warn(pointerTo(place, 'responses'), 'The operation documents no response.');
    return;
  }
  for (const [status, written] of Object.entries(responses)) {
    const response = resolve(document, written);
    const at = pointerTo(place, 'responses', status);
    if (response === written) mendDescription(response, at, warn);
  }
}

function mendDescription(response: unknown, at: string, warn: Warn): void {
  if (!isObject(response) || typeof response['$ref'] === 'string' || typeof response['description'] === 'string')
    return;
  response['description'] = '';
  warn(at, 'A response should have a "description".');
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

function resolve(document: Fields, value: unknown): unknown {
  if (!isObject(value) || typeof value['$ref'] !== 'string') return value;
  const pointer = referencePointer(value['$ref']);
  return pointer === undefined ? undefined : valueAt(document, pointer);
}
